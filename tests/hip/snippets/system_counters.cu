// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
__global__ void k(int* x) {
  __shared__ unsigned up, down;
  if (threadIdx.x == 0) up = 0, down = 7;
  __syncthreads();
  atomicInc_system(&up, 9u);
  atomicDec_system(&down, 5u);
  __syncthreads();
  unsigned top, sum;
  asm("bfind.u32 %0, %1;" : "=r"(top) : "r"(x[threadIdx.x]));
  sum = x[threadIdx.x];
  x[threadIdx.x] = up * 100 + down * 10 + (int)top + (int)sum * 1000;
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
