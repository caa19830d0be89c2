// More threads than a block may have.
#include <cstdio>

__global__ void clear(int *x) { x[threadIdx.x] = 0; }

int main() {
  int *x;
  cudaMalloc(&x, 2048 * sizeof(int));
#ifdef BUG
  int threads = 2048;
#else
  int threads = 1024;
#endif
  clear<<<1, threads>>>(x);  // BUG
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(x);
}
