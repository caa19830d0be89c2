// Half of the block waits at one barrier, the other half at another.
#include <cstdio>

__global__ void halves(int *x) {
#ifdef BUG
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    __syncthreads();
  } else {
    x[threadIdx.x] = 2;
    __syncthreads();  // BUG
  }
#else
  x[threadIdx.x] = threadIdx.x < 32 ? 1 : 2;
  __syncthreads();
#endif
}

int main() {
  int *x;
  cudaMalloc(&x, 64 * sizeof(int));
  halves<<<1, 64>>>(x);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
