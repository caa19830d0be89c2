// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
#define WS 32u
constexpr unsigned kLog = 5;
__global__ void k(int* x) {
  const unsigned lane = threadIdx.x % WS, warp = threadIdx.x >> kLog;
  int v = x[threadIdx.x];
  for (unsigned o = 1; o < WS; o <<= 1) {
    int u = __shfl_up_sync(0xffffffff, v, o);
    if (lane >= o) v += u;
  }
  x[threadIdx.x] = v + (int)warp;
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
