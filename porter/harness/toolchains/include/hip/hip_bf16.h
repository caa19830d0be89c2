// porter's own minimal hip_bf16.h: __hip_bfloat16 as HIP declares it, enough to build device code for AMD GPUs
// on a machine without ROCm. It is searched after every real header, and a build that used it says so.
#pragma once

#include <hip/hip_runtime.h>

#define PORTER_BF16 static inline __device__ __host__ __attribute__((always_inline))
#define PORTER_BF16_DEVICE static inline __device__ __attribute__((always_inline))

struct __hip_bfloat16_raw {
  unsigned short x;
};

struct __hip_bfloat16 {
  union {
    __bf16 data;
    unsigned short __x;
  };

  __hip_bfloat16() = default;
  __device__ __host__ __hip_bfloat16(float v) : data(static_cast<__bf16>(v)) {}
  __device__ __host__ __hip_bfloat16(double v) : data(static_cast<__bf16>(static_cast<float>(v))) {}
  __device__ __host__ __hip_bfloat16(int v) : data(static_cast<__bf16>(static_cast<float>(v))) {}
  __device__ __host__ __hip_bfloat16(unsigned v) : data(static_cast<__bf16>(static_cast<float>(v))) {}
  __device__ __host__ __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}

  __device__ __host__ operator float() const { return static_cast<float>(data); }
  __device__ __host__ operator __hip_bfloat16_raw() const { return __hip_bfloat16_raw{__x}; }

  __device__ __host__ __hip_bfloat16 operator-() const {
    __hip_bfloat16 r;
    r.__x = __x ^ 0x8000;
    return r;
  }
};
using hip_bfloat16_t = __hip_bfloat16;

// Each operation is done in float and rounded once, which for these four is the correctly rounded result.
#define PORTER_BF16_BINARY(OP)                                                                       \
  PORTER_BF16 __hip_bfloat16 operator OP(const __hip_bfloat16& a, const __hip_bfloat16& b) {         \
    return __hip_bfloat16(static_cast<float>(a) OP static_cast<float>(b));                           \
  }                                                                                                  \
  PORTER_BF16 __hip_bfloat16& operator OP##=(__hip_bfloat16& a, const __hip_bfloat16& b) {           \
    return a = a OP b;                                                                               \
  }
PORTER_BF16_BINARY(+)
PORTER_BF16_BINARY(-)
PORTER_BF16_BINARY(*)
PORTER_BF16_BINARY(/)
#undef PORTER_BF16_BINARY
#define PORTER_BF16_COMPARE(OP)                                                              \
  PORTER_BF16 bool operator OP(const __hip_bfloat16& a, const __hip_bfloat16& b) {           \
    return static_cast<float>(a) OP static_cast<float>(b);                                   \
  }
PORTER_BF16_COMPARE(==)
PORTER_BF16_COMPARE(!=)
PORTER_BF16_COMPARE(<)
PORTER_BF16_COMPARE(<=)
PORTER_BF16_COMPARE(>)
PORTER_BF16_COMPARE(>=)
#undef PORTER_BF16_COMPARE

struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat16 x, y;

  __hip_bfloat162() = default;
  __device__ __host__ __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high) : x(low), y(high) {}
};

#define PORTER_BF162_BINARY(OP)                                                                        \
  PORTER_BF16 __hip_bfloat162 operator OP(const __hip_bfloat162& a, const __hip_bfloat162& b) {        \
    return __hip_bfloat162(a.x OP b.x, a.y OP b.y);                                                    \
  }
PORTER_BF162_BINARY(+)
PORTER_BF162_BINARY(-)
PORTER_BF162_BINARY(*)
PORTER_BF162_BINARY(/)
#undef PORTER_BF162_BINARY

PORTER_BF16 float __bfloat162float(__hip_bfloat16 v) { return static_cast<float>(v); }
PORTER_BF16 __hip_bfloat16 __float2bfloat16(float f) { return __hip_bfloat16(f); }
PORTER_BF16 __hip_bfloat16 __double2bfloat16(double d) { return __hip_bfloat16(d); }
PORTER_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 v) { return v.__x; }
PORTER_BF16 short __bfloat16_as_short(__hip_bfloat16 v) { return static_cast<short>(v.__x); }
PORTER_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __hip_bfloat16(__hip_bfloat16_raw{bits}); }
PORTER_BF16 __hip_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16(static_cast<unsigned short>(bits)); }

PORTER_BF16 __hip_bfloat162 __float2bfloat162_rn(float f) {
  return __hip_bfloat162(__hip_bfloat16(f), __hip_bfloat16(f));
}
PORTER_BF16 __hip_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __hip_bfloat162(__hip_bfloat16(low), __hip_bfloat16(high));
}
PORTER_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) { return __hip_bfloat162(low, high); }
PORTER_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 v) { return __hip_bfloat162(v, v); }
PORTER_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 f) { return __hip_bfloat162(__hip_bfloat16(f.x), __hip_bfloat16(f.y)); }
PORTER_BF16 float2 __bfloat1622float2(__hip_bfloat162 v) { return make_float2(static_cast<float>(v.x), static_cast<float>(v.y)); }
PORTER_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 v) { return v.x; }
PORTER_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 v) { return v.y; }
PORTER_BF16 float __low2float(__hip_bfloat162 v) { return static_cast<float>(v.x); }
PORTER_BF16 float __high2float(__hip_bfloat162 v) { return static_cast<float>(v.y); }

PORTER_BF16 __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) { return a + b; }
PORTER_BF16 __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b) { return a - b; }
PORTER_BF16 __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) { return a * b; }
PORTER_BF16 __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return a / b; }
PORTER_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a) { return -a; }
PORTER_BF16 __hip_bfloat16 __habs(__hip_bfloat16 a) { return __ushort_as_bfloat16(a.__x & 0x7fff); }
PORTER_BF16 __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __hip_bfloat16(__builtin_fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}
PORTER_BF16 __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat16(__builtin_fmaxf(static_cast<float>(a), static_cast<float>(b)));
}
PORTER_BF16 __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat16(__builtin_fminf(static_cast<float>(a), static_cast<float>(b)));
}
PORTER_BF16 bool __hisnan(__hip_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
PORTER_BF16 bool __heq(__hip_bfloat16 a, __hip_bfloat16 b) { return a == b; }
PORTER_BF16 bool __hne(__hip_bfloat16 a, __hip_bfloat16 b) { return a != b; }
PORTER_BF16 bool __hlt(__hip_bfloat16 a, __hip_bfloat16 b) { return a < b; }
PORTER_BF16 bool __hle(__hip_bfloat16 a, __hip_bfloat16 b) { return a <= b; }
PORTER_BF16 bool __hgt(__hip_bfloat16 a, __hip_bfloat16 b) { return a > b; }
PORTER_BF16 bool __hge(__hip_bfloat16 a, __hip_bfloat16 b) { return a >= b; }
PORTER_BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) { return a + b; }
PORTER_BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b) { return a - b; }
PORTER_BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) { return a * b; }
PORTER_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define PORTER_BF16_MATH(NAME, OCML)                                    \
  PORTER_BF16_DEVICE __hip_bfloat16 h##NAME(__hip_bfloat16 v) {         \
    return __hip_bfloat16(OCML(static_cast<float>(v)));                 \
  }
PORTER_BF16_MATH(exp, __ocml_exp_f32)
PORTER_BF16_MATH(exp2, __ocml_exp2_f32)
PORTER_BF16_MATH(log, __ocml_log_f32)
PORTER_BF16_MATH(log2, __ocml_log2_f32)
PORTER_BF16_MATH(sqrt, __ocml_sqrt_f32)
PORTER_BF16_MATH(rsqrt, __ocml_rsqrt_f32)
PORTER_BF16_MATH(sin, __ocml_sin_f32)
PORTER_BF16_MATH(cos, __ocml_cos_f32)
PORTER_BF16_MATH(ceil, __ocml_ceil_f32)
PORTER_BF16_MATH(floor, __ocml_floor_f32)
PORTER_BF16_MATH(trunc, __ocml_trunc_f32)
PORTER_BF16_MATH(rint, __ocml_rint_f32)
#undef PORTER_BF16_MATH

#define PORTER_BF16_SHUFFLE(NAME, LANE)                                                                    \
  PORTER_BF16_DEVICE __hip_bfloat16 NAME(__hip_bfloat16 v, LANE lane, int width = warpSize) {              \
    return __ushort_as_bfloat16(static_cast<unsigned short>(NAME(static_cast<int>(v.__x), lane, width)));  \
  }
PORTER_BF16_SHUFFLE(__shfl, int)
PORTER_BF16_SHUFFLE(__shfl_up, unsigned)
PORTER_BF16_SHUFFLE(__shfl_down, unsigned)
PORTER_BF16_SHUFFLE(__shfl_xor, int)
#undef PORTER_BF16_SHUFFLE

#undef PORTER_BF16
#undef PORTER_BF16_DEVICE
