// The functions that inline PTX is rewritten to: arithmetic on floats, and what integers and floats share.
#pragma once

#include "porter_sim/intrinsics.h"
#include "porter_sim/ptx_integer.h"
#include "porter_sim/ptx_words.h"

namespace porter_sim {
namespace ptx {

inline float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
template <class T>
T saturated(T x) {
  if constexpr (is_pair<T>) {
    return {saturated(x.x), saturated(x.y)};
  } else {
    double value = double(x);
    return value > 0 ? (value < 1 ? x : T(1.0)) : T(0.0);
  }
}

inline Direction direction(Rounding r) {
  return r == Rounding::zero ? Direction::zero : r == Rounding::up ? Direction::up : r == Rounding::down ? Direction::down : Direction::nearest;
}

// Floats by CUDA's intrinsics of that rounding; 16-bit formats in double, rounded once.
#define PORTER_ROUNDINGS(intrinsic, ...)                                                    \
  switch (rounding) {                                                                       \
    case Rounding::zero: return intrinsic##_rz(__VA_ARGS__);                                \
    case Rounding::up: return intrinsic##_ru(__VA_ARGS__);                                  \
    case Rounding::down: return intrinsic##_rd(__VA_ARGS__);                                \
    default: return intrinsic##_rn(__VA_ARGS__);                                            \
  }
#define PORTER_BINARY(name, small)                                                          \
  inline float name(float a, float b, Rounding rounding) { PORTER_ROUNDINGS(::__f##name, a, b) }  \
  inline double name(double a, double b, Rounding rounding) { PORTER_ROUNDINGS(::__d##name, a, b) } \
  template <class T, class = std::enable_if_t<is_small<T>>>                                 \
  T name(T a, T b, Rounding rounding) {                                                     \
    double x = a, y = b;                                                                    \
    return T::of(small, direction(rounding));                                               \
  }                                                                                         \
  template <class One>                                                                      \
  Pair<One> name(Pair<One> a, Pair<One> b, Rounding r) {                                    \
    return {name(a.x, b.x, r), name(a.y, b.y, r)};                                          \
  }
PORTER_BINARY(add, sum_to_odd(x, y))
PORTER_BINARY(sub, sum_to_odd(x, -y))
PORTER_BINARY(mul, x *y)
PORTER_BINARY(div, x / y)
#undef PORTER_BINARY
inline float fma(float a, float b, float c, Rounding rounding) { PORTER_ROUNDINGS(::__fmaf, a, b, c) }
inline double fma(double a, double b, double c, Rounding rounding) { PORTER_ROUNDINGS(::__fma, a, b, c) }
template <class T, class = std::enable_if_t<is_small<T>>>
T fma(T a, T b, T c, Rounding rounding) {
  return T::of(sum_to_odd(double(a) * double(b), double(c)), direction(rounding));
}
template <class One>
Pair<One> fma(Pair<One> a, Pair<One> b, Pair<One> c, Rounding r) {
  return {fma(a.x, b.x, c.x, r), fma(a.y, b.y, c.y, r)};
}
inline float sqrt(float a, Rounding rounding) { PORTER_ROUNDINGS(::__fsqrt, a) }
inline double sqrt(double a, Rounding rounding) { PORTER_ROUNDINGS(::__dsqrt, a) }
inline float rcp(float a, Rounding rounding) { PORTER_ROUNDINGS(::__frcp, a) }
inline double rcp(double a, Rounding rounding) { PORTER_ROUNDINGS(::__drcp, a) }
#undef PORTER_ROUNDINGS

// PTX's order of minima: a number rather than NaN, -0 below +0; `_nan` lets NaN through.
template <class T>
T min(T a, T b) {
  if constexpr (is_pair<T>) {
    return {min(a.x, b.x), min(a.y, b.y)};
  } else if constexpr (std::is_integral_v<T>) {
    return b < a ? b : a;
  } else {
    double x = double(a), y = double(b);
    return x != x ? b : y != y ? a : x == y ? (std::signbit(x) ? a : b) : x < y ? a : b;
  }
}
template <class T>
T max(T a, T b) {
  if constexpr (is_pair<T>) {
    return {max(a.x, b.x), max(a.y, b.y)};
  } else if constexpr (std::is_integral_v<T>) {
    return a < b ? b : a;
  } else {
    double x = double(a), y = double(b);
    return x != x ? b : y != y ? a : x == y ? (std::signbit(x) ? b : a) : x < y ? b : a;
  }
}
template <class T>
T min_nan(T a, T b) {
  return double(a) != double(a) ? a : double(b) != double(b) ? b : ptx::min(a, b);
}
template <class T>
T max_nan(T a, T b) {
  return double(a) != double(a) ? a : double(b) != double(b) ? b : ptx::max(a, b);
}
template <class T>
T abs(T a) {
  if constexpr (is_pair<T>) {
    return {abs(a.x), abs(a.y)};
  } else if constexpr (is_small<T>) {
    a.bits &= 0x7fff;
    return a;
  } else if constexpr (std::is_integral_v<T>) {
    return a < 0 ? T(-std::make_unsigned_t<T>(a)) : a;
  } else {
    return std::fabs(a);
  }
}
template <class T>
T neg(T a) {
  if constexpr (is_pair<T>) {
    return {neg(a.x), neg(a.y)};
  } else if constexpr (is_small<T>) {
    a.bits ^= 0x8000;
    return a;
  } else if constexpr (std::is_integral_v<T>) {
    return T(-std::make_unsigned_t<T>(a));
  } else {
    return -a;
  }
}
// PTX gives the first operand's sign to the second's magnitude.
template <class T>
T copysign(T a, T b) {
  return std::copysign(b, a);
}
#define PORTER_COMPARE(name, op)             \
  template <class T>                         \
  bool name(T a, T b) {                      \
    return a op b;                           \
  }                                          \
  template <class T>                         \
  bool name##u(T a, T b) {                   \
    return a != a || b != b || a op b;       \
  }
PORTER_COMPARE(eq, ==)
PORTER_COMPARE(lt, <)
PORTER_COMPARE(le, <=)
PORTER_COMPARE(gt, >)
PORTER_COMPARE(ge, >=)
#undef PORTER_COMPARE
template <class T>
bool num(T a, T b) {
  return a == a && b == b;
}
template <class T>
bool nan(T a, T b) {
  return !num(a, b);
}
template <class T>
bool ne(T a, T b) {
  return num(a, b) && a != b;
}
template <class T>
bool neu(T a, T b) {
  return a != b;
}

// The approximate functions, computed exactly and rounded: they are what an approximation is compared with.
#define PORTER_APPROXIMATE(name, expression)  \
  template <class T>                          \
  T name(T a) {                               \
    if constexpr (is_pair<T>) {               \
      return {name(a.x), name(a.y)};          \
    } else {                                  \
      double x = double(a);                   \
      return T(expression);                   \
    }                                         \
  }
PORTER_APPROXIMATE(ex2, std::exp2(x))
PORTER_APPROXIMATE(lg2, std::log2(x))
PORTER_APPROXIMATE(sin, std::sin(x))
PORTER_APPROXIMATE(cos, std::cos(x))
PORTER_APPROXIMATE(tanh, std::tanh(x))
PORTER_APPROXIMATE(rsqrt, 1 / std::sqrt(x))
#undef PORTER_APPROXIMATE

}  // namespace ptx
}  // namespace porter_sim
