// porter's own minimal hip_fp8.h: 8-bit floats as HIP declares them, converted in C++ (round to nearest even), enough to
// build device code for AMD GPUs on a machine without ROCm. It is searched after every real header, and a build that
// used it says so. OCP formats: largest E4M3 value 448, E5M2 57344 with infinities. FNUZ: 240 and 57344, one NaN.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;
enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

#define PORTER_FP8 static inline __device__ __host__ __attribute__((always_inline))

namespace porter_fp8 {
// What distinguishes the formats: bits of the mantissa, the exponent's bias, the largest value, and the code of NaN.
struct Format {
  int mantissa;
  int bias;
  float largest;
  unsigned nan;
  bool has_infinity;
};

PORTER_FP8 constexpr Format format(__hip_fp8_interpretation_t kind) {
  switch (kind) {
    case __HIP_E4M3: return Format{3, 7, 448.0f, 0x7fu, false};
    case __HIP_E5M2: return Format{2, 15, 57344.0f, 0x7fu, true};
    case __HIP_E4M3_FNUZ: return Format{3, 8, 240.0f, 0x80u, false};
    default: return Format{2, 16, 57344.0f, 0x80u, false};
  }
}

// A value is a whole multiple of the quantum of its binade; subnormals have the quantum of the lowest one.
PORTER_FP8 unsigned magnitude(float value, const Format& to) {
  int exponent = static_cast<int>((__builtin_bit_cast(unsigned, value) >> 23) & 0xffu) - 127;
  exponent = exponent < 1 - to.bias ? 1 - to.bias : exponent;
  const float multiple = __builtin_rintf(__builtin_ldexpf(value, to.mantissa - exponent));
  return (static_cast<unsigned>(exponent + to.bias - 1) << to.mantissa) + static_cast<unsigned>(multiple);
}

PORTER_FP8 __hip_fp8_storage_t encode(float value, __hip_saturation_t saturation, __hip_fp8_interpretation_t kind) {
  const Format to = format(kind);
  const bool fnuz = to.nan == 0x80u;
  const unsigned sign = __builtin_signbit(value) ? 0x80u : 0u;
  const unsigned nan = fnuz ? to.nan : sign | to.nan;
  if (value != value) {
    return static_cast<__hip_fp8_storage_t>(nan);
  }
  const float size = __builtin_fabsf(value);
  const unsigned limit = magnitude(to.largest, to);
  unsigned code = size > 2.0f * to.largest ? limit + 1u : magnitude(size, to);
  if (code > limit) {
    if (saturation == __HIP_NOSAT && !to.has_infinity) {
      return static_cast<__hip_fp8_storage_t>(nan);
    }
    code = saturation == __HIP_NOSAT ? limit + 1u : limit;
  }
  return static_cast<__hip_fp8_storage_t>(fnuz && code == 0u ? 0u : sign | code);
}

PORTER_FP8 float decode(__hip_fp8_storage_t bits, __hip_fp8_interpretation_t kind) {
  const Format from = format(kind);
  const unsigned code = bits & 0x7fu;
  const bool is_nan = from.nan == 0x80u ? bits == 0x80u : (from.has_infinity ? code > 0x7cu : code == 0x7fu);
  if (is_nan) {
    return __builtin_nanf("");
  }
  const unsigned fraction = code & ((1u << from.mantissa) - 1u);
  const int exponent = static_cast<int>(code >> from.mantissa);
  float size = exponent ? static_cast<float>(fraction + (1u << from.mantissa)) : static_cast<float>(fraction);
  size = __builtin_ldexpf(size, (exponent ? exponent : 1) - from.bias - from.mantissa);
  size = from.has_infinity && code == 0x7cu ? __builtin_inff() : size;
  return bits & 0x80u ? -size : size;
}
}  // namespace porter_fp8

PORTER_FP8 __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float v, const __hip_saturation_t s,
                                                      const __hip_fp8_interpretation_t k) {
  return porter_fp8::encode(v, s, k);
}
PORTER_FP8 __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double v, const __hip_saturation_t s,
                                                       const __hip_fp8_interpretation_t k) {
  return porter_fp8::encode(static_cast<float>(v), s, k);
}
PORTER_FP8 __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw v, const __hip_saturation_t s,
                                                        const __hip_fp8_interpretation_t k) {
  return porter_fp8::encode(static_cast<float>(v.data), s, k);
}
PORTER_FP8 __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw v, const __hip_saturation_t s,
                                                            const __hip_fp8_interpretation_t k) {
  return porter_fp8::encode(__builtin_bit_cast(float, static_cast<unsigned>(v.x) << 16), s, k);
}
PORTER_FP8 __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 v, const __hip_saturation_t s,
                                                           const __hip_fp8_interpretation_t k) {
  return static_cast<__hip_fp8x2_storage_t>(porter_fp8::encode(v.x, s, k) | (porter_fp8::encode(v.y, s, k) << 8));
}
PORTER_FP8 __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t v, const __hip_fp8_interpretation_t k) {
  __half_raw raw;
  raw.data = static_cast<_Float16>(porter_fp8::decode(v, k));
  return raw;
}

// One type for each format: NAME, its interpretation, and the types of two and four of them.
#define PORTER_FP8_TYPE(NAME, KIND)                                                                                 \
  struct NAME {                                                                                                     \
    __hip_fp8_storage_t __x;                                                                                        \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                     \
    static constexpr __hip_fp8_interpretation_t __default_interpret = KIND;                                         \
    NAME() = default;                                                                                               \
    __device__ __host__ NAME(float v) : __x(porter_fp8::encode(v, __HIP_SATFINITE, KIND)) {}                        \
    __device__ __host__ NAME(double v) : NAME(static_cast<float>(v)) {}                                             \
    __device__ __host__ NAME(int v) : NAME(static_cast<float>(v)) {}                                                \
    __device__ __host__ NAME(unsigned v) : NAME(static_cast<float>(v)) {}                                           \
    __device__ __host__ NAME(__half v) : NAME(static_cast<float>(v)) {}                                             \
    __device__ __host__ NAME(__hip_bfloat16 v) : NAME(static_cast<float>(v)) {}                                     \
    __device__ __host__ operator float() const { return porter_fp8::decode(__x, KIND); }                            \
    __device__ __host__ operator double() const { return porter_fp8::decode(__x, KIND); }                           \
    __device__ __host__ operator __half() const { return __half(porter_fp8::decode(__x, KIND)); }                   \
    __device__ __host__ operator __hip_bfloat16() const { return __hip_bfloat16(porter_fp8::decode(__x, KIND)); }   \
    __device__ __host__ operator int() const { return static_cast<int>(porter_fp8::decode(__x, KIND)); }            \
    __device__ __host__ operator bool() const { return (__x & 0x7fu) != 0u; }                                       \
  };

#define PORTER_FP8_PAIR(NAME, KIND)                                                                                 \
  struct NAME {                                                                                                     \
    __hip_fp8x2_storage_t __x;                                                                                      \
    NAME() = default;                                                                                               \
    __device__ __host__ NAME(float2 v) : __x(__hip_cvt_float2_to_fp8x2(v, __HIP_SATFINITE, KIND)) {}                \
    __device__ __host__ operator float2() const {                                                                   \
      return make_float2(porter_fp8::decode(__x & 0xffu, KIND), porter_fp8::decode(__x >> 8, KIND));                \
    }                                                                                                               \
  };

#define PORTER_FP8_QUAD(NAME, KIND)                                                                                 \
  struct NAME {                                                                                                     \
    __hip_fp8x4_storage_t __x;                                                                                      \
    NAME() = default;                                                                                               \
    __device__ __host__ NAME(float4 v)                                                                              \
        : __x(__hip_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __HIP_SATFINITE, KIND) |                             \
              (static_cast<unsigned>(__hip_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __HIP_SATFINITE, KIND))       \
               << 16)) {}                                                                                           \
    __device__ __host__ operator float4() const {                                                                   \
      return make_float4(porter_fp8::decode(__x & 0xffu, KIND), porter_fp8::decode((__x >> 8) & 0xffu, KIND),       \
                         porter_fp8::decode((__x >> 16) & 0xffu, KIND), porter_fp8::decode(__x >> 24, KIND));       \
    }                                                                                                               \
  };

PORTER_FP8_TYPE(__hip_fp8_e4m3, __HIP_E4M3)
PORTER_FP8_TYPE(__hip_fp8_e5m2, __HIP_E5M2)
PORTER_FP8_TYPE(__hip_fp8_e4m3_fnuz, __HIP_E4M3_FNUZ)
PORTER_FP8_TYPE(__hip_fp8_e5m2_fnuz, __HIP_E5M2_FNUZ)
PORTER_FP8_PAIR(__hip_fp8x2_e4m3, __HIP_E4M3)
PORTER_FP8_PAIR(__hip_fp8x2_e5m2, __HIP_E5M2)
PORTER_FP8_PAIR(__hip_fp8x2_e4m3_fnuz, __HIP_E4M3_FNUZ)
PORTER_FP8_PAIR(__hip_fp8x2_e5m2_fnuz, __HIP_E5M2_FNUZ)
PORTER_FP8_QUAD(__hip_fp8x4_e4m3, __HIP_E4M3)
PORTER_FP8_QUAD(__hip_fp8x4_e5m2, __HIP_E5M2)
PORTER_FP8_QUAD(__hip_fp8x4_e4m3_fnuz, __HIP_E4M3_FNUZ)
PORTER_FP8_QUAD(__hip_fp8x4_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef PORTER_FP8
