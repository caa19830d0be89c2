// expect: refused, MEM002 4
#include <cuda_runtime.h>
__global__ void k(float* x) {
  __shared__ float s[96 * 256];
  s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1];
}
