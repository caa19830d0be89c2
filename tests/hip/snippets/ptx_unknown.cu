// expect: refused, PTX001 4
#include <cuda_runtime.h>
__global__ void k(int* x) {
  asm("vavrg4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(x[0]) : "r"(x[1]), "r"(x[2]), "r"(x[3]));
}
