// expect: builds
#include <cuda_runtime.h>
__global__ void k(unsigned* x) {
  unsigned sum;
  asm("vabsdiff4.u32.u32.u32.add"
      " %0, %1, %2, %3;"
      : "=r"(sum) : "r"(x[0]), "r"(x[1]), "r"(5u));
  x[0] = sum;
}
