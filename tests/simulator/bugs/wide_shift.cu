// The bits of a word that stand before position `at`: none before the first, all before the end.
#include <cstdio>

__global__ void before(const int *at, unsigned *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = 0xffffffffu >> (32 - at[i]);  // BUG
}

int main() {
#ifdef BUG
  const int positions[] = {4, 8, 0, 32};
#else
  const int positions[] = {4, 8, 1, 32};
#endif
  int *at;
  unsigned *out, host[4];
  cudaMalloc(&at, sizeof positions);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(at, positions, sizeof positions, cudaMemcpyHostToDevice);
  before<<<1, 32>>>(at, out, 4);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%08x\n", host[0]);
  cudaFree(at);
  cudaFree(out);
}
