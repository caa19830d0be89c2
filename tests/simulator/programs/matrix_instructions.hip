// AMD's matrix instructions and atomics with an order and a scope: `arguments` choose one; results are printed.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

template <class T>
struct Four {
  T at[4];
  T &operator[](int i) { return at[i]; }
  const T &operator[](int i) const { return at[i]; }
};

// AMD matrix instruction calculator: A[i][k] is element k % 4 of lane i + 16 (k / 4), B[k][j] of lane j + 16 (k / 4),
// and D[i][j] is element i % 4 of lane j + 16 (i / 4).
__global__ void shorts(const float *a, const float *b, float *d) {
  int lane = threadIdx.x % 64, line = lane % 16, group = lane / 16;
  Four<__half> left, right;
  Four<float> sum;
  for (int i = 0; i < 4; ++i) {
    left[i] = __float2half(a[16 * line + 4 * group + i]);
    right[i] = __float2half(b[16 * (4 * group + i) + line]);
    sum[i] = 1.0f;
  }
  sum = __builtin_amdgcn_mfma_f32_16x16x16f16(left, right, sum, 0, 0, 0);
  for (int i = 0; i < 4; ++i) d[16 * (4 * group + i) + line] = sum[i];
}
// In double D[i][j] is element i / 4 of lane j + 16 (i % 4); one element of A and B a lane.
__global__ void doubles(const float *a, const float *b, float *d) {
  int lane = threadIdx.x % 64, line = lane % 16, group = lane / 16;
  Four<double> sum = {{1.0, 1.0, 1.0, 1.0}};
  for (int k = 0; k < 16; k += 4) {
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(double(a[16 * line + k + group]), double(b[16 * (k + group) + line]), sum, 0, 0, 0);
  }
  for (int i = 0; i < 4; ++i) d[16 * (4 * i + group) + line] = float(sum[i]);
}
// Eight bytes a lane: A[i][k] is byte k % 8 of lane i + 16 (k / 8). The upper half of the depth is zero here.
__global__ void bytes(const float *a, const float *b, float *d) {
  int lane = threadIdx.x % 64, line = lane % 16, group = lane / 16;
  signed char left[8] = {}, right[8] = {};
  for (int i = 0; i < 8 && group < 2; ++i) {
    left[i] = (signed char)a[16 * line + 8 * group + i];
    right[i] = (signed char)b[16 * (8 * group + i) + line];
  }
  long x, y;
  memcpy(&x, left, 8), memcpy(&y, right, 8);
  Four<int> sum = {{1, 1, 1, 1}};
  sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, sum, 0, 0, 0);
  for (int i = 0; i < 4; ++i) d[16 * (4 * group + i) + line] = float(sum[i]);
}
__global__ void half_a_wavefront(float *d) {
  Four<float> sum = {};
  if (threadIdx.x < 32) sum = __builtin_amdgcn_mfma_f32_16x16x4f32(1.0f, 1.0f, sum, 0, 0, 0);  // inactive lanes
  d[threadIdx.x] = sum[0];
}
__global__ void atomics(int *x, float *y) {
  int value = threadIdx.x + 1;
  __hip_atomic_fetch_add(&x[0], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_sub(&x[1], value, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&x[2], value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_fetch_min(&x[3], -value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_or(&x[4], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_xor(&x[5], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_add(&y[0], 0.5f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  int seen = __hip_atomic_load(&x[6], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(&x[6], &seen, seen + 3, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
  }
  if (value == 64) __hip_atomic_store(&x[7], __hip_atomic_exchange(&x[8], 5, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

int main(int, char **arguments) {
  float h[256], *a, *b, *d;
  int words[9] = {0, 0, 0, 0, 0, 0, 0, 0, 41}, *x;
  hipMalloc(&a, sizeof h), hipMalloc(&b, sizeof h), hipMalloc(&d, sizeof h), hipMalloc(&x, sizeof words);
  for (int i = 0; i < 256; ++i) h[i] = float(i * 7 % 23 - 11);
  hipMemcpy(a, h, sizeof h, hipMemcpyHostToDevice);
  for (int i = 0; i < 256; ++i) h[i] = float(i * 5 % 19 - 9);
  hipMemcpy(b, h, sizeof h, hipMemcpyHostToDevice);
  hipMemset(d, 0, sizeof h);
  switch (atoi(arguments[1])) {
    case 0: shorts<<<1, 64>>>(a, b, d); break;
    case 1: doubles<<<1, 64>>>(a, b, d); break;
    case 2: bytes<<<1, 64>>>(a, b, d); break;
    case 3: half_a_wavefront<<<1, 64>>>(d); break;
    default:
      hipMemcpy(x, words, sizeof words, hipMemcpyHostToDevice);
      atomics<<<1, 64>>>(x, d);
      hipMemcpy(words, x, sizeof words, hipMemcpyDeviceToHost);
      for (int word : words) printf("%d\n", word);
  }
  hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost);
  for (float value : h) printf("%g\n", value);
}
