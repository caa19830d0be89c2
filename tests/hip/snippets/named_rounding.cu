// expect: runs
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
// Every operation with every direction on pairs of values of all kinds, folded into one number a thread.
__device__ unsigned fold(unsigned sum, double x) { return x != x ? sum * 31u + 7u : (sum * 31u) ^ __double2loint(x) ^ (__double2hiint(x) * 17u); }
__device__ unsigned fold(unsigned sum, float x) { return x != x ? sum * 31u + 7u : (sum * 31u) ^ __float_as_uint(x); }

__device__ unsigned singles(unsigned sum, float a, float b, float c) {
  sum = fold(sum, __fadd_rd(a, b)); sum = fold(sum, __fadd_ru(a, b)); sum = fold(sum, __fadd_rz(a, b));
  sum = fold(sum, __fsub_rd(a, b)); sum = fold(sum, __fsub_ru(a, b)); sum = fold(sum, __fsub_rz(a, b));
  sum = fold(sum, __fmul_rd(a, b)); sum = fold(sum, __fmul_ru(a, b)); sum = fold(sum, __fmul_rz(a, b));
  sum = fold(sum, __fdiv_rd(a, b)); sum = fold(sum, __fdiv_ru(a, b)); sum = fold(sum, __fdiv_rz(a, b));
  sum = fold(sum, __fmaf_rd(a, b, c)); sum = fold(sum, __fmaf_ru(a, b, c)); sum = fold(sum, __fmaf_rz(a, b, c));
  sum = fold(sum, __frcp_rd(a)); sum = fold(sum, __frcp_ru(b)); sum = fold(sum, __frcp_rz(c));
  sum = fold(sum, __fsqrt_rd(a)); sum = fold(sum, __fsqrt_ru(b)); sum = fold(sum, __fsqrt_rz(c));
  return fold(fold(fold(sum, __fadd_rn(__fmul_rn(a, b), c)), __fsub_rn(a, b)), __fmul_rn(a, c));
}

__device__ unsigned doubles(unsigned sum, double a, double b, double c) {
  sum = fold(sum, __dadd_rd(a, b)); sum = fold(sum, __dadd_ru(a, b)); sum = fold(sum, __dadd_rz(a, b));
  sum = fold(sum, __dsub_rd(a, b)); sum = fold(sum, __dsub_ru(a, b)); sum = fold(sum, __dsub_rz(a, b));
  sum = fold(sum, __dmul_rd(a, b)); sum = fold(sum, __dmul_ru(a, b)); sum = fold(sum, __dmul_rz(a, b));
  sum = fold(sum, __ddiv_rd(a, b)); sum = fold(sum, __ddiv_ru(a, b)); sum = fold(sum, __ddiv_rz(a, b));
  sum = fold(sum, __fma_rd(a, b, c)); sum = fold(sum, __fma_ru(a, b, c)); sum = fold(sum, __fma_rz(a, b, c));
  sum = fold(sum, __drcp_rd(a)); sum = fold(sum, __drcp_ru(b)); sum = fold(sum, __drcp_rz(c));
  sum = fold(sum, __dsqrt_rd(a)); sum = fold(sum, __dsqrt_ru(b)); sum = fold(sum, __dsqrt_rz(c));
  return fold(fold(fold(sum, __dadd_rn(__dmul_rn(a, b), c)), __dsub_rn(a, b)), __dmul_rn(a, c));
}

__global__ void k(const double* x, unsigned* result) {
  const double a = x[threadIdx.x];
  unsigned sum = 1;
  for (int i = 0; i < blockDim.x; ++i) {
    const double b = x[i], c = x[(i * 7 + threadIdx.x) % blockDim.x];
    sum = doubles(sum, a, b, c);
    sum = doubles(sum, a, b, -(a * b));
    sum = singles(sum, (float)a, (float)b, (float)c);
    sum = singles(sum, (float)a, (float)b, -((float)a * (float)b));
    sum = singles(sum, (float)(a * 1e-30), (float)(b * 1e-12), 1e-43f);
  }
  result[threadIdx.x] = sum;
}

int main() {
  const int n = 128;
  const double special[] = {0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 4.9e-324, -4.9e-324, 2.2250738585072011e-308, 2.2250738585072014e-308,
                            1.7976931348623157e308, -1.7976931348623157e308, 1.0, 1.0000000000000002, 0.99999999999999989, 3.0, 1.0 / 3.0,
                            1.4e-45, 1.17549435e-38, 3.40282347e38, -3.40282347e38, 1.00000012, 1e-30, 3e-162, -7e-200, 1e200, 5e-311};
  double h[n], *d;
  unsigned r[n], *e;
  unsigned long long state = 88172645463325252ull;
  for (int i = 0; i < n; ++i) {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    // Every third has the exponent of a float, every fifth any exponent.
    const unsigned long long exponent = i % 5 == 0 ? (state >> 52) & 0x7ff : 1023 + (int)(state >> 58) - 32;
    const unsigned long long bits = (state & 0x800fffffffffffffull) | exponent << 52;
    std::memcpy(&h[i], &bits, 8);
    if (i % 3 == 0) h[i] = (float)h[i];
    if (i < (int)(sizeof(special) / sizeof(double))) h[i] = special[i];
  }
  cudaMalloc(&d, sizeof(h));
  cudaMalloc(&e, sizeof(r));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<1, n>>>(d, e);
  cudaMemcpy(r, e, sizeof(r), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%u ", r[i]);
  return cudaFree(d);
}
