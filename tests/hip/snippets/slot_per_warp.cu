// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  __shared__ int s[32];
  int v = __reduce_add_sync(0xffffffff, x[threadIdx.x]);
  if ((threadIdx.x & 31) == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x / 32];
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
