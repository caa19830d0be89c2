// porter's own minimal hip_fp16.h: half and half2 as HIP declares them, enough to build device code for AMD GPUs
// on a machine without ROCm. It is searched after every real header, and a build that used it says so.
#pragma once

#include <hip/hip_runtime.h>

#define PORTER_HALF static inline __device__ __host__ __attribute__((always_inline))
#define PORTER_HALF_DEVICE static inline __device__ __attribute__((always_inline))

struct __half_raw {
  union {
    unsigned short x;
    _Float16 data;
  };
};

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };

  __half() = default;
  __device__ __host__ constexpr __half(_Float16 v) : data(v) {}
  __device__ __host__ constexpr __half(float v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(double v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(int v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(unsigned v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(short v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(unsigned short v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(long v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ constexpr __half(unsigned long v) : data(static_cast<_Float16>(v)) {}
  __device__ __host__ __half(const __half_raw& v) : data(v.data) {}

  __device__ __host__ operator float() const { return static_cast<float>(data); }
  __device__ __host__ operator __half_raw() const {
    __half_raw raw;
    raw.data = data;
    return raw;
  }

  __device__ __host__ __half& operator+=(const __half& o) { data += o.data; return *this; }
  __device__ __host__ __half& operator-=(const __half& o) { data -= o.data; return *this; }
  __device__ __host__ __half& operator*=(const __half& o) { data *= o.data; return *this; }
  __device__ __host__ __half& operator/=(const __half& o) { data /= o.data; return *this; }
  __device__ __host__ __half& operator++() { data += 1; return *this; }
  __device__ __host__ __half& operator--() { data -= 1; return *this; }
  __device__ __host__ __half operator-() const { return __half(static_cast<_Float16>(-data)); }
  __device__ __host__ __half operator+() const { return *this; }
};
using half = __half;

#define PORTER_HALF_BINARY(OP)                                             \
  PORTER_HALF __half operator OP(const __half& a, const __half& b) {       \
    return __half(static_cast<_Float16>(a.data OP b.data));                \
  }
PORTER_HALF_BINARY(+)
PORTER_HALF_BINARY(-)
PORTER_HALF_BINARY(*)
PORTER_HALF_BINARY(/)
#undef PORTER_HALF_BINARY
#define PORTER_HALF_COMPARE(OP) \
  PORTER_HALF bool operator OP(const __half& a, const __half& b) { return a.data OP b.data; }
PORTER_HALF_COMPARE(==)
PORTER_HALF_COMPARE(!=)
PORTER_HALF_COMPARE(<)
PORTER_HALF_COMPARE(<=)
PORTER_HALF_COMPARE(>)
PORTER_HALF_COMPARE(>=)
#undef PORTER_HALF_COMPARE

struct __half2_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __device__ __host__ constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}

  __device__ __host__ __half2& operator+=(const __half2& o) { x += o.x; y += o.y; return *this; }
  __device__ __host__ __half2& operator-=(const __half2& o) { x -= o.x; y -= o.y; return *this; }
  __device__ __host__ __half2& operator*=(const __half2& o) { x *= o.x; y *= o.y; return *this; }
  __device__ __host__ __half2& operator/=(const __half2& o) { x /= o.x; y /= o.y; return *this; }
  __device__ __host__ __half2 operator-() const { return __half2(-x, -y); }
};
using half2 = __half2;

#define PORTER_HALF2_BINARY(OP) \
  PORTER_HALF __half2 operator OP(const __half2& a, const __half2& b) { return __half2(a.x OP b.x, a.y OP b.y); }
PORTER_HALF2_BINARY(+)
PORTER_HALF2_BINARY(-)
PORTER_HALF2_BINARY(*)
PORTER_HALF2_BINARY(/)
#undef PORTER_HALF2_BINARY
PORTER_HALF bool operator==(const __half2& a, const __half2& b) { return a.x == b.x && a.y == b.y; }
PORTER_HALF bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }

// --- conversions -----------------------------------------------------------------------------------

PORTER_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }
PORTER_HALF short __half_as_short(__half h) { return static_cast<short>(h.__x); }
PORTER_HALF __half __ushort_as_half(unsigned short bits) {
  __half h;
  h.__x = bits;
  return h;
}
PORTER_HALF __half __short_as_half(short bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }

PORTER_HALF float __half2float(__half h) { return static_cast<float>(h.data); }
PORTER_HALF __half __float2half(float f) { return __half(f); }
PORTER_HALF __half __float2half_rn(float f) { return __half(f); }
PORTER_HALF __half __double2half(double d) { return __half(d); }

// Rounds to nearest first, then steps one value where that went the wrong way. Signed zeros step to the
// smallest subnormal of the direction asked for.
PORTER_HALF __half __float2half_rd(float f) {
  __half h(f);
  if (static_cast<float>(h.data) <= f || f != f) return h;
  if ((h.__x & 0x7fff) == 0) return __ushort_as_half(0x8001);
  return __ushort_as_half(h.__x & 0x8000 ? h.__x + 1 : h.__x - 1);
}
PORTER_HALF __half __float2half_ru(float f) { return -__float2half_rd(-f); }
PORTER_HALF __half __float2half_rz(float f) { return f < 0 ? __float2half_ru(f) : __float2half_rd(f); }

#define PORTER_HALF_INTEGER(NAME, TYPE)                                                        \
  PORTER_HALF __half __##NAME##2half_rn(TYPE v) { return __half(static_cast<_Float16>(v)); }  \
  PORTER_HALF TYPE __half2##NAME##_rn(__half h) {                                              \
    return static_cast<TYPE>(__builtin_rintf(static_cast<float>(h.data)));                     \
  }                                                                                            \
  PORTER_HALF TYPE __half2##NAME##_rz(__half h) { return static_cast<TYPE>(h.data); }
PORTER_HALF_INTEGER(int, int)
PORTER_HALF_INTEGER(uint, unsigned)
PORTER_HALF_INTEGER(short, short)
PORTER_HALF_INTEGER(ushort, unsigned short)
PORTER_HALF_INTEGER(ll, long long)
PORTER_HALF_INTEGER(ull, unsigned long long)
#undef PORTER_HALF_INTEGER

PORTER_HALF __half2 make_half2(__half low, __half high) { return __half2(low, high); }
PORTER_HALF __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
PORTER_HALF __half2 __half2half2(__half h) { return __half2(h, h); }
PORTER_HALF __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
PORTER_HALF __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
PORTER_HALF __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
PORTER_HALF float2 __half22float2(__half2 h) { return make_float2(__half2float(h.x), __half2float(h.y)); }
PORTER_HALF __half __low2half(__half2 h) { return h.x; }
PORTER_HALF __half __high2half(__half2 h) { return h.y; }
PORTER_HALF float __low2float(__half2 h) { return __half2float(h.x); }
PORTER_HALF float __high2float(__half2 h) { return __half2float(h.y); }
PORTER_HALF __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
PORTER_HALF __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
PORTER_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
PORTER_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
PORTER_HALF __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }

// --- arithmetic ------------------------------------------------------------------------------------

PORTER_HALF __half __hadd(__half a, __half b) { return a + b; }
PORTER_HALF __half __hsub(__half a, __half b) { return a - b; }
PORTER_HALF __half __hmul(__half a, __half b) { return a * b; }
PORTER_HALF __half __hdiv(__half a, __half b) { return a / b; }
PORTER_HALF __half __hneg(__half a) { return -a; }
PORTER_HALF __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
PORTER_HALF __half __hfma(__half a, __half b, __half c) {
  return __half(static_cast<_Float16>(__builtin_fmaf16(a.data, b.data, c.data)));
}
PORTER_HALF __half __hmax(__half a, __half b) { return __half(static_cast<_Float16>(__builtin_fmaxf16(a.data, b.data))); }
PORTER_HALF __half __hmin(__half a, __half b) { return __half(static_cast<_Float16>(__builtin_fminf16(a.data, b.data))); }
PORTER_HALF bool __hisnan(__half a) { return a.data != a.data; }
PORTER_HALF int __hisinf(__half a) { return (a.__x & 0x7fff) == 0x7c00 ? (a.__x & 0x8000 ? -1 : 1) : 0; }
PORTER_HALF bool __heq(__half a, __half b) { return a == b; }
PORTER_HALF bool __hne(__half a, __half b) { return a != b; }
PORTER_HALF bool __hlt(__half a, __half b) { return a < b; }
PORTER_HALF bool __hle(__half a, __half b) { return a <= b; }
PORTER_HALF bool __hgt(__half a, __half b) { return a > b; }
PORTER_HALF bool __hge(__half a, __half b) { return a >= b; }

PORTER_HALF __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
PORTER_HALF __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
PORTER_HALF __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
PORTER_HALF __half2 __h2div(__half2 a, __half2 b) { return a / b; }
PORTER_HALF __half2 __hneg2(__half2 a) { return -a; }
PORTER_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
PORTER_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define PORTER_HALF2_COMPARE(NAME, OP)                                                                     \
  PORTER_HALF __half2 __h##NAME##2(__half2 a, __half2 b) {                                                 \
    return __half2(__half(a.x OP b.x ? 1.0f : 0.0f), __half(a.y OP b.y ? 1.0f : 0.0f));                    \
  }                                                                                                        \
  PORTER_HALF bool __hb##NAME##2(__half2 a, __half2 b) { return a.x OP b.x && a.y OP b.y; }
PORTER_HALF2_COMPARE(eq, ==)
PORTER_HALF2_COMPARE(ne, !=)
PORTER_HALF2_COMPARE(lt, <)
PORTER_HALF2_COMPARE(le, <=)
PORTER_HALF2_COMPARE(gt, >)
PORTER_HALF2_COMPARE(ge, >=)
#undef PORTER_HALF2_COMPARE

// --- math, device only -----------------------------------------------------------------------------

#define PORTER_HALF_MATH(NAME, OCML)                                                             \
  PORTER_HALF_DEVICE __half h##NAME(__half h) { return __half(static_cast<_Float16>(OCML(h.data))); } \
  PORTER_HALF_DEVICE __half2 h2##NAME(__half2 h) { return __half2(h##NAME(h.x), h##NAME(h.y)); }
PORTER_HALF_MATH(exp, __ocml_exp_f16)
PORTER_HALF_MATH(exp2, __ocml_exp2_f16)
PORTER_HALF_MATH(log, __ocml_log_f16)
PORTER_HALF_MATH(log2, __ocml_log2_f16)
PORTER_HALF_MATH(log10, __ocml_log10_f16)
PORTER_HALF_MATH(sqrt, __ocml_sqrt_f16)
PORTER_HALF_MATH(rsqrt, __ocml_rsqrt_f16)
PORTER_HALF_MATH(sin, __ocml_sin_f16)
PORTER_HALF_MATH(cos, __ocml_cos_f16)
PORTER_HALF_MATH(ceil, __ocml_ceil_f16)
PORTER_HALF_MATH(floor, __ocml_floor_f16)
PORTER_HALF_MATH(trunc, __ocml_trunc_f16)
PORTER_HALF_MATH(rint, __ocml_rint_f16)
PORTER_HALF_MATH(rcp, __builtin_amdgcn_rcph)
#undef PORTER_HALF_MATH

// --- shuffles, through the bits --------------------------------------------------------------------

#define PORTER_HALF_SHUFFLE(NAME, LANE)                                                                  \
  PORTER_HALF_DEVICE __half NAME(__half v, LANE lane, int width = warpSize) {                            \
    return __ushort_as_half(static_cast<unsigned short>(NAME(static_cast<int>(v.__x), lane, width)));    \
  }                                                                                                      \
  PORTER_HALF_DEVICE __half2 NAME(__half2 v, LANE lane, int width = warpSize) {                          \
    const unsigned bits = v.x.__x | static_cast<unsigned>(v.y.__x) << 16;                                \
    const unsigned moved = NAME(bits, lane, width);                                                      \
    return __half2(__ushort_as_half(moved & 0xffff), __ushort_as_half(moved >> 16));                     \
  }
PORTER_HALF_SHUFFLE(__shfl, int)
PORTER_HALF_SHUFFLE(__shfl_up, unsigned)
PORTER_HALF_SHUFFLE(__shfl_down, unsigned)
PORTER_HALF_SHUFFLE(__shfl_xor, int)
#undef PORTER_HALF_SHUFFLE

#undef PORTER_HALF
#undef PORTER_HALF_DEVICE
