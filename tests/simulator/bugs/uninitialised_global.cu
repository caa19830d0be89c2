// An accumulator that nobody clears.
#include <cstdio>

__global__ void add(const int *x, int *sum) {
  if (threadIdx.x == 3) *sum += x[threadIdx.x];  // BUG
}

int main() {
  int *x, *sum;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
#ifndef BUG
  cudaMemset(sum, 0, sizeof(int));
#endif
  add<<<1, 64>>>(x, sum);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(sum);
}
