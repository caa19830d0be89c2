// expect: builds, API091 10
#include <cuda_runtime.h>
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) return; } while (0)
template <int A, int B> __global__ void kt(float* x, int n) { x[threadIdx.x] = A + B + n; }
template <typename F> __global__ void kf(F f) { f(threadIdx.x); }
void f(float* x, int n, cudaStream_t s) {
  LAUNCH((kt<1, 2>), n, 256, x, n);
  kt<512, 8><<<dim3((n + 255) / 256, 1), min(256, n), n > 4 ? 16 : 0, s>>>(x, (n + 1) * 2);
  kf<<<1, 64>>>([=] __device__(int i) { x[i] = n; });
  CHECK(cudaGetLastError());
}
