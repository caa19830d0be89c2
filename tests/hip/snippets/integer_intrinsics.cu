// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned v = x[threadIdx.x] * 2654435761u;
  int d = __dp4a((int)v, 0x01020304, 7);
  unsigned p = __byte_perm(v, 0x11223344, 0x7531) ^ __funnelshift_l(v, ~v, 9) ^ __funnelshift_r(v, ~v, 3);
  x[threadIdx.x] = d ^ p ^ __brev(v) ^ __mulhi((int)v, 12345) ^ __clz(v) ^ __popc(v);
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
