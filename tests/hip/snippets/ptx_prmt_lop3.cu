// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned v = x[threadIdx.x], r = 0;
  unsigned p;
  asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(p) : "r"(v * 16843009u), "r"(0x01020304u));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(p), "r"(v), "r"(0xff00ff00u));
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
