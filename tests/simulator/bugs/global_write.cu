// Threads of the last block are more than there are elements.
#include <cstdio>

__device__ void put(double *to, int i, double value) {
  to[i] = value;  // BUG
}

__global__ void fill(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
  if (i <= n) put(x, i, i);
#else
  if (i < n) put(x, i, i);
#endif
}

int main() {
  const int n = 101;
  double *x;
  cudaMalloc(&x, n * sizeof(double));
  fill<<<4, 32>>>(x, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
