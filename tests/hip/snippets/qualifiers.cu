// expect: builds
#include <cuda_runtime.h>
struct __align__(16) V { float a, b, c, d; };
__device__ __forceinline__ float f(const V& v) { __builtin_assume(v.a > 0); return v.a; }
__global__ void k(const V* __restrict__ v, float* __restrict__ x) {
#pragma unroll 4
  for (int i = 0; i < 8; ++i) x[i] = f(v[i]);
}
