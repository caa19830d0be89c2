// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned active = __activemask();
  unsigned peers = __match_any_sync(active, x[threadIdx.x] % 5);
  int leader = __ffs(peers) - 1;
  __syncwarp(active);
  x[threadIdx.x] = leader * 100 + __popc(peers);
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
