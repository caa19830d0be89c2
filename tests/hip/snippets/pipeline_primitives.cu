// expect: runs, LIB011 8
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <stdio.h>
__global__ void k(float* g) {
  __shared__ alignas(16) float s[2][128];
  if (threadIdx.x < 32)
    __pipeline_memcpy_async(&s[0][4 * threadIdx.x], &g[4 * threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][threadIdx.x], &g[127 - threadIdx.x], 4, threadIdx.x % 3 ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  float first = s[0][threadIdx.x ^ 64];
  __pipeline_wait_prior(0);
  __syncthreads();
  g[threadIdx.x] = first - s[1][threadIdx.x ^ 64];
}
int main() {
  float h[128], *g;
  for (int i = 0; i < 128; ++i) h[i] = i * i % 31;
  cudaMalloc(&g, sizeof h);
  cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(g);
  cudaMemcpy(h, g, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%g\n", h[i]);
}
