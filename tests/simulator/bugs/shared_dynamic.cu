// The launch asks for fewer bytes than the kernel uses.
#include <cstdio>

__global__ void reverse(int *x) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = x[threadIdx.x];  // BUG
  __syncthreads();
  x[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 65;
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
#ifdef BUG
  reverse<<<1, n, 64 * sizeof(int)>>>(x);
#else
  reverse<<<1, n, n * sizeof(int)>>>(x);
#endif
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
