// A vector's data is handed to a kernel without a copy.
#include <cstdio>
#include <vector>

__global__ void twice(const int *x, int *y) {
  y[threadIdx.x] = 2 * x[threadIdx.x];  // BUG
}

int main() {
  std::vector<int> host(64, 1);
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
#ifdef BUG
  twice<<<1, 64>>>(host.data(), y);
#else
  twice<<<1, 64>>>(x, y);
#endif
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(y);
}
