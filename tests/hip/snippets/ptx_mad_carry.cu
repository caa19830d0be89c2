// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned v = x[threadIdx.x], r = 0;
  unsigned lo, hi;
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;" : "=r"(lo), "=r"(hi)
      : "r"(v * 77777777u), "r"(88888888u), "r"(4294967295u));
  r = lo ^ hi;
  x[threadIdx.x] = r;
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
