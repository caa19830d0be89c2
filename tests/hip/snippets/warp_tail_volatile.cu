// expect: builds, SYN001 4
#include <cuda_runtime.h>
__global__ void k(int* x) {
  volatile __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) { s[threadIdx.x] += s[threadIdx.x + 32]; s[threadIdx.x] += s[threadIdx.x + 16]; }
  x[threadIdx.x] = s[0];
}
