// The host looks at a result where it lies.
#include <cstdio>

__global__ void answer(int *x) { *x = 42; }

int main() {
  int *x, value;
  cudaMalloc(&x, sizeof(int));
  answer<<<1, 1>>>(x);
#ifdef BUG
  value = *x;  // BUG
#else
  cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
#endif
  printf("%d\n", value);
  cudaFree(x);
}
