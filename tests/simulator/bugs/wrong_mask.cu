// A full mask where half of the warp has gone another way.
#include <cstdio>

__global__ void sum_of_half(int *x) {
  if (threadIdx.x < 16) {
#ifdef BUG
    unsigned mask = 0xffffffffu;
#else
    unsigned mask = 0xffffu;
#endif
    int v = threadIdx.x;
    for (int o = 8; o; o /= 2) v += __shfl_xor_sync(mask, v, o);  // BUG
    x[threadIdx.x] = v;
  }
  __syncthreads();
}

int main() {
  int *x;
  cudaMalloc(&x, 64 * sizeof(int));
  sum_of_half<<<1, 64>>>(x);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
