// expect: refused, PTX001 4
#include <cuda_runtime.h>
__global__ void k(unsigned s, const float* g) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(s), "l"(g));
}
