// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(double* x) {
  double v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  x[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}

int main() {
  const int n = 128;
  double h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i * 0.25;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<1, n>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%.3f ", h[i]);
  return cudaFree(d);
}
