// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
#define FULL(width) ((width) == 32 ? 0xffffffffu : (1u << (width)) - 1)
template <int W> __device__ int sum(int v) {
  for (int o = W / 2; o; o >>= 1) v += __shfl_xor_sync(FULL(32), v, o, W);
  return v;
}
__global__ void k(int* x) { x[threadIdx.x] = sum<8>(x[threadIdx.x]) + sum<32>(x[threadIdx.x]); }

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
