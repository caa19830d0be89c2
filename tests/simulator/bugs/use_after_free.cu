// A buffer is freed one launch too early.
#include <cstdio>

__global__ void scale(float *x, const float *factor) {
  x[threadIdx.x] *= factor[0];  // BUG
}

int main() {
  float *x, *factor;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&factor, sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  cudaMemset(factor, 0, sizeof(float));
#ifdef BUG
  cudaFree(factor);
  scale<<<1, 64>>>(x, factor);
#else
  scale<<<1, 64>>>(x, factor);
  cudaFree(factor);
#endif
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
