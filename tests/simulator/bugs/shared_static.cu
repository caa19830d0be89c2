// The tile's last element has its neighbour in another array.
#include <cstdio>

__global__ void smooth(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ int sums[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  sums[t] = 0;
  __syncthreads();
#ifdef BUG
  sums[t] = tile[t] + tile[t + 1];  // BUG
#else
  sums[t] = tile[t] + (t + 1 < 64 ? tile[t + 1] : 0);
#endif
  out[t] = sums[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  smooth<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
