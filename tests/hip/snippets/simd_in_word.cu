// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned v = x[threadIdx.x] * 2654435761u;
  x[threadIdx.x] = __vadd4(v, 0x7f01ff80) ^ __vmaxu4(v, 0x40404040) ^ __vabsdiffu4(v, 0x10203040) ^ __vcmpeq4(v, 0);
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
