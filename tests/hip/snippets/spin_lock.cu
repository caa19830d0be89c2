// expect: builds, SYN002 4
#include <cuda_runtime.h>
__global__ void k(int* lock, int* x) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  x[0] += 1;
  atomicExch(lock, 0);
}
