// A copy of more bytes than there are; nobody looks at what it says.
#include <cstdio>

int main() {
  int *x, host[64] = {};
#ifdef BUG
  size_t bytes = 65 * sizeof(int);
#else
  size_t bytes = 64 * sizeof(int);
#endif
  if (cudaMalloc(&x, 64 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice);  // BUG
  printf("done\n");
  cudaFree(x);
}
