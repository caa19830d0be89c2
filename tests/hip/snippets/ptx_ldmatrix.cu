// expect: refused, PTX001 4
#include <cuda_runtime.h>
__global__ void k(unsigned* r, unsigned s) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(s));
}
