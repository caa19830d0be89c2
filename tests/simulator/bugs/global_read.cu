// Every thread reads its right neighbour; the last one has none.
#include <cstdio>

__global__ void difference(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
  y[i] = x[i + 1] - x[i];  // BUG
#else
  if (i + 1 < n) y[i] = x[i + 1] - x[i];
#endif
}

int main() {
  const int n = 254;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  difference<<<2, 127>>>(x, y, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(y);
}
