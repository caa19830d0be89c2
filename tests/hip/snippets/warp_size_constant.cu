// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  __shared__ int s[1024 / warpSize];
  if (threadIdx.x % warpSize == 0) s[threadIdx.x / warpSize] = x[threadIdx.x];
  __syncthreads();
  switch (warpSize) { default: x[threadIdx.x] = s[threadIdx.x / warpSize]; }
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<1, n>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%d ", h[i]);
  return cudaFree(d);
}
