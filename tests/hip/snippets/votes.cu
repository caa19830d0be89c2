// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  int odd = x[threadIdx.x] & 1;
  x[threadIdx.x] = __any_sync(0xffffffff, odd) + 2 * __all_sync(0xffffffff, odd) + 4 * __any_sync(0xffffffff, threadIdx.x == 3);
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
