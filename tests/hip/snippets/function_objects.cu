// expect: builds
#include <cuda/std/functional>
#include <cstdio>
template <typename Operation>
__device__ int both(int a, int b, Operation operation) { return operation(a, b); }
__global__ void k(int* x) {
  const int i = threadIdx.x, v = x[i];
  const int sum = both(v, i, cuda::std::plus<int>()), less = both(v, i, cuda::std::less<>{});
  x[i] = cuda::std::identity()(sum) * 10 + less;
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<1, n>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%d ", h[i]);
  return cudaFree(d);
}
