// A neighbour's value is read without waiting for it.
#include <cstdio>

__global__ void neighbours(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
#ifndef BUG
  __syncthreads();
#endif
  out[threadIdx.x] = threadIdx.x ? s[threadIdx.x - 1] : 0;  // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  neighbours<<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
}
