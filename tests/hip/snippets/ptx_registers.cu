// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  unsigned v = x[threadIdx.x], r = 0;
  asm("{\n\t.reg .u32 t;\n\tmul.lo.u32 t, %1, %1;\n\tadd.u32 %0, t, 1;\n\t}" : "=r"(r) : "r"(v));
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
