// expect: builds
#include <cuda.h>
#include <cstdio>
__global__ void k(int* x) { x[threadIdx.x] = x[threadIdx.x] * 2 + 1; }
int main() {
  const int n = 128;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  cuInit(0);
  CUdeviceptr whole;
  cuMemAlloc(&whole, 2 * sizeof(h));
  CUdeviceptr half = whole + sizeof(h);
  const size_t between = half - whole;
  cuMemcpyHtoD(half, h, between);
  k<<<1, n>>>((int*)half);
  cuMemcpyDtoH(h, whole + between, sizeof(h));
  for (int i = 0; i < n; ++i) std::printf("%d ", h[i]);
  return cuMemFree(whole);
}
