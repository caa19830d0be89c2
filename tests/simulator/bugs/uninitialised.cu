// The first warp's threads alone fill what every warp's sum is added to.
#include <cstdio>

__global__ void count(const int *flags, int *out) {
  __shared__ int totals[2];
#ifdef BUG
  if (threadIdx.x == 0) totals[0] = 0;
#else
  if (threadIdx.x < 2) totals[threadIdx.x] = 0;
#endif
  __syncthreads();
  if (flags[threadIdx.x]) atomicAdd(&totals[threadIdx.x / 32], 1);  // BUG
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = totals[0] + totals[1];
}

int main() {
  int *flags, *out;
  cudaMalloc(&flags, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(flags, 1, 64 * sizeof(int));
  count<<<1, 64>>>(flags, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(flags);
  cudaFree(out);
}
