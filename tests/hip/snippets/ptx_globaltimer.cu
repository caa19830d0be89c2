// expect: builds
#include <cuda_runtime.h>
__global__ void k(unsigned long long* x) {
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(before));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  } while (after - before < 1000);
  x[threadIdx.x] = after - before;
}
