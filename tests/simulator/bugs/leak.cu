// An early return forgets a buffer.
#include <cstdio>

static int *make(int n) {
  int *made;
  cudaMalloc(&made, n * sizeof(int));  // BUG
  return made;
}

int main() {
  int *x = make(100), *y = make(200);
  cudaFree(x);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
#ifdef BUG
  if (y) return 0;
#endif
  cudaFree(y);
}
