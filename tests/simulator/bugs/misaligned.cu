// Four floats at once from a row whose start is not a multiple of four.
#include <cstdio>

__global__ void load_rows(const float *x, float *y, int stride) {
  const float *row = x + threadIdx.x * stride;
  float4 v = *reinterpret_cast<const float4 *>(row);  // BUG
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
#ifdef BUG
  const int stride = 6;
#else
  const int stride = 8;
#endif
  float *x, *y;
  cudaMalloc(&x, 32 * 8 * sizeof(float));
  cudaMalloc(&y, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * 8 * sizeof(float));
  load_rows<<<1, 32>>>(x, y, stride);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(y);
}
