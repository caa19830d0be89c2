// Math functions beyond those of <cmath>: CUDA's own names, and its fast intrinsics. The fast ones are computed
// in full precision: they are what the exact value is compared with, not a model of one GPU's approximation.
#pragma once

#include <fenv.h>

#include "porter_sim/config.h"

namespace porter_sim {

// float only, as CUDA declares them: anything else converts.
inline float fast_exp(float x) { return std::exp(x); }
inline float fast_exp10(float x) { return std::pow(10.0f, x); }
inline float fast_log(float x) { return std::log(x); }
inline float fast_log2(float x) { return std::log2(x); }
inline float fast_log10(float x) { return std::log10(x); }
inline float fast_pow(float x, float y) { return std::pow(x, y); }
inline float fast_sin(float x) { return std::sin(x); }
inline float fast_cos(float x) { return std::cos(x); }
inline float fast_tan(float x) { return std::tan(x); }
inline float fast_tanh(float x) { return std::tanh(x); }
inline void fast_sincos(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }

double inverse_erf(double x);

}  // namespace porter_sim

// glibc reserves these names for itself, so they are macros.
#define __expf ::porter_sim::fast_exp
#define __exp10f ::porter_sim::fast_exp10
#define __logf ::porter_sim::fast_log
#define __log2f ::porter_sim::fast_log2
#define __log10f ::porter_sim::fast_log10
#define __powf ::porter_sim::fast_pow
#define __sinf ::porter_sim::fast_sin
#define __cosf ::porter_sim::fast_cos
#define __tanf ::porter_sim::fast_tan
#define __tanhf ::porter_sim::fast_tanh
#define __sincosf ::porter_sim::fast_sincos
// An integer argument means double, as for the functions of <cmath>.
#define PORTER_OF_INTEGER(name)                                              \
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>        \
  double name(I x) {                                                         \
    return name(double(x));                                                  \
  }

inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
PORTER_OF_INTEGER(rsqrt)
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
PORTER_OF_INTEGER(rcbrt)
inline double sinpi(double x) { return std::sin(x * double(3.14159265358979323846)); }
inline float sinpif(float x) { return std::sin(x * float(3.14159265358979323846)); }
inline float sinpi(float x) { return sinpif(x); }
PORTER_OF_INTEGER(sinpi)
inline double cospi(double x) { return std::cos(x * double(3.14159265358979323846)); }
inline float cospif(float x) { return std::cos(x * float(3.14159265358979323846)); }
inline float cospi(float x) { return cospif(x); }
PORTER_OF_INTEGER(cospi)
inline double normcdf(double x) { return double(0.5) * std::erfc(-x * double(0.70710678118654752440)); }
inline float normcdff(float x) { return float(0.5) * std::erfc(-x * float(0.70710678118654752440)); }
inline float normcdf(float x) { return normcdff(x); }
PORTER_OF_INTEGER(normcdf)
inline double erfinv(double x) { return double(::porter_sim::inverse_erf(double(x))); }
inline float erfinvf(float x) { return float(::porter_sim::inverse_erf(double(x))); }
inline float erfinv(float x) { return erfinvf(x); }
PORTER_OF_INTEGER(erfinv)
inline double erfcinv(double x) { return double(::porter_sim::inverse_erf(1 - double(x))); }
inline float erfcinvf(float x) { return float(::porter_sim::inverse_erf(1 - double(x))); }
inline float erfcinv(float x) { return erfcinvf(x); }
PORTER_OF_INTEGER(erfcinv)
inline double normcdfinv(double x) { return double(1.41421356237309504880 * ::porter_sim::inverse_erf(2 * double(x) - 1)); }
inline float normcdfinvf(float x) { return float(1.41421356237309504880 * ::porter_sim::inverse_erf(2 * double(x) - 1)); }
inline float normcdfinv(float x) { return normcdfinvf(x); }
PORTER_OF_INTEGER(normcdfinv)
inline double erfcx(double x) { return double(std::exp(double(x) * double(x)) * std::erfc(double(x))); }
inline float erfcxf(float x) { return float(std::exp(double(x) * double(x)) * std::erfc(double(x))); }
inline float erfcx(float x) { return erfcxf(x); }
PORTER_OF_INTEGER(erfcx)

inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
inline void sincos(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }
namespace porter_sim {
// What `float` is in the user's text.
#ifdef PORTER_SIM_WIDE
using user_float = double;
#else
using user_float = float;
#endif
}  // namespace porter_sim
inline ::porter_sim::user_float fdividef(::porter_sim::user_float x, ::porter_sim::user_float y) { return x / y; }
inline ::porter_sim::user_float __fdividef(::porter_sim::user_float x, ::porter_sim::user_float y) { return x / y; }
inline ::porter_sim::user_float __saturatef(::porter_sim::user_float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return 1 / std::hypot(x, y); }
inline float norm3df(float x, float y, float z) { return std::sqrt(x * x + y * y + z * z); }
inline double norm3d(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }
inline float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
inline float norm4df(float x, float y, float z, float w) { return std::sqrt(x * x + y * y + z * z + w * w); }
inline float rnorm4df(float x, float y, float z, float w) { return 1 / norm4df(x, y, z, w); }

namespace porter_sim {

enum class Rounding { nearest, zero, up, down };

// A conversion's result, rounded to nearest, in another direction: `error` is exact - rounded.
template <class T>
T directed(T rounded, long double error, Rounding rounding) {
  if (error == 0 || rounding == Rounding::nearest) return rounded;
  bool too_large = error < 0;
  bool lower = rounding == Rounding::down || (rounding == Rounding::zero && rounded > 0);
  if (lower && too_large) return std::nextafter(rounded, -std::numeric_limits<T>::infinity());
  if (!lower && !too_large) return std::nextafter(rounded, std::numeric_limits<T>::infinity());
  return rounded;
}

// Arithmetic with a named rounding: the processor's own. Operands and result are volatile, so that the compiler
// neither works them out itself nor moves them out of the mode.
template <class T, class Operation>
T in_direction(Rounding rounding, Operation operation, T x, T y, T z) {
  if (rounding == Rounding::nearest) return operation(x, y, z);
  const int before = fegetround();
  fesetround(rounding == Rounding::zero ? FE_TOWARDZERO : rounding == Rounding::up ? FE_UPWARD : FE_DOWNWARD);
  volatile T left = x, right = y, third = z;
  volatile T result = operation(left, right, third);
  fesetround(before);
  return result;
}

}  // namespace porter_sim

#define PORTER_IN_DIRECTION(T, mode, expression, x, y, z) \
  return ::porter_sim::in_direction<T>(                   \
      ::porter_sim::Rounding::mode, [](T a, T b, T c) -> T { return (void)a, (void)b, (void)c, expression; }, x, y, z);

#define PORTER_ROUNDED(prefix, T, suffix, mode)                                                              \
  inline T __##prefix##add_##suffix(T x, T y) { PORTER_IN_DIRECTION(T, mode, a + b, x, y, T(0)) }            \
  inline T __##prefix##sub_##suffix(T x, T y) { PORTER_IN_DIRECTION(T, mode, a - b, x, y, T(0)) }            \
  inline T __##prefix##mul_##suffix(T x, T y) { PORTER_IN_DIRECTION(T, mode, a * b, x, y, T(0)) }            \
  inline T __##prefix##div_##suffix(T x, T y) { PORTER_IN_DIRECTION(T, mode, a / b, x, y, T(0)) }            \
  inline T __##prefix##sqrt_##suffix(T x) { PORTER_IN_DIRECTION(T, mode, std::sqrt(a), x, T(0), T(0)) }      \
  inline T __##prefix##rcp_##suffix(T x) { PORTER_IN_DIRECTION(T, mode, T(1) / a, x, T(0), T(0)) }

#define PORTER_FMA(name, T, suffix, mode) \
  inline T name##_##suffix(T x, T y, T z) { PORTER_IN_DIRECTION(T, mode, std::fma(a, b, c), x, y, z) }

#define PORTER_MODE(suffix, mode)              \
  PORTER_ROUNDED(f, float, suffix, mode)       \
  PORTER_ROUNDED(d, double, suffix, mode)      \
  PORTER_FMA(__fmaf, float, suffix, mode)      \
  PORTER_FMA(__fma, double, suffix, mode)
PORTER_MODE(rn, nearest)
PORTER_MODE(rz, zero)
PORTER_MODE(ru, up)
PORTER_MODE(rd, down)
#undef PORTER_MODE
#undef PORTER_FMA
#undef PORTER_ROUNDED
#undef PORTER_IN_DIRECTION

inline float __frsqrt_rn(float x) { return 1 / std::sqrt(x); }

// min and max as CUDA overloads them: the usual arithmetic conversions, no references.
#define PORTER_MINMAX(T)                                      \
  constexpr T min(T x, T y) { return y < x ? y : x; }         \
  constexpr T max(T x, T y) { return x < y ? y : x; }
PORTER_MINMAX(int)
PORTER_MINMAX(unsigned)
PORTER_MINMAX(long)
PORTER_MINMAX(unsigned long)
PORTER_MINMAX(long long)
PORTER_MINMAX(unsigned long long)
#undef PORTER_MINMAX
inline float min(float x, float y) { return ::fminf(x, y); }
inline float max(float x, float y) { return ::fmaxf(x, y); }
inline double min(double x, double y) { return ::fmin(x, y); }
inline double max(double x, double y) { return ::fmax(x, y); }
#define PORTER_MIXED(A, B)                                                                   \
  constexpr std::common_type_t<A, B> min(A x, B y) {                                         \
    using C = std::common_type_t<A, B>;                                                      \
    return C(y) < C(x) ? C(y) : C(x);                                                        \
  }                                                                                          \
  constexpr std::common_type_t<A, B> max(A x, B y) {                                         \
    using C = std::common_type_t<A, B>;                                                      \
    return C(x) < C(y) ? C(y) : C(x);                                                        \
  }
#define PORTER_MIXED2(A, B) PORTER_MIXED(A, B) PORTER_MIXED(B, A)
PORTER_MIXED2(int, unsigned)
PORTER_MIXED2(long, unsigned long)
PORTER_MIXED2(long long, unsigned long long)
PORTER_MIXED2(int, long)
PORTER_MIXED2(int, unsigned long)
PORTER_MIXED2(int, long long)
PORTER_MIXED2(int, unsigned long long)
PORTER_MIXED2(unsigned, long)
PORTER_MIXED2(unsigned, unsigned long)
PORTER_MIXED2(unsigned, long long)
PORTER_MIXED2(unsigned, unsigned long long)
PORTER_MIXED2(float, double)
PORTER_MIXED2(int, float)
PORTER_MIXED2(int, double)
PORTER_MIXED2(unsigned, float)
PORTER_MIXED2(unsigned, double)
#undef PORTER_MIXED2
#undef PORTER_MIXED
inline unsigned umin(unsigned x, unsigned y) { return min(x, y); }
inline unsigned umax(unsigned x, unsigned y) { return max(x, y); }
inline long long llmin(long long x, long long y) { return min(x, y); }
inline long long llmax(long long x, long long y) { return max(x, y); }

#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN (__builtin_nan(""))
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
