// Reads a neighbour's value without waiting for it; right only in the natural order of threads.
#include <cstdio>

__global__ void neighbours(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
#ifdef WITH_BARRIER
  __syncthreads();
#endif
  out[threadIdx.x] = threadIdx.x ? s[threadIdx.x - 1] : 0;
}

int main() {
  int *out, host[64], wrong = 0;
  cudaMalloc(&out, sizeof host);
  neighbours<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 1; i < 64; ++i) wrong += host[i] != i - 1;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
