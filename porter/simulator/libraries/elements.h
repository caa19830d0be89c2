// Arrays whose elements' type is an argument: reading one in the type that a library computes in, and rounding back.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "call.h"
#include "porter_sim/libraries/single.h"
#include "porter_sim/small_float.h"

namespace porter_sim {

// The numbers are both vendors'.
enum class Element : int {
#define PORTER_DATA_TYPE(name, value) name = value,
#include "porter_sim/libraries/data_types.h"
#undef PORTER_DATA_TYPE
};

struct Half {
  unsigned short bits;
};
struct Bfloat {
  unsigned short bits;
};
// OCP's 8-bit formats: E4M3 has NaN but no infinity, E5M2 has both. Rounding saturates.
struct E4M3 {
  unsigned char bits;
};
struct E5M2 {
  unsigned char bits;
};

inline float value_of(Half x) { return HalfFormat::unpack(x.bits); }
inline float value_of(Bfloat x) { return BfloatFormat::unpack(x.bits); }
inline float value_of(E5M2 x) { return HalfFormat::unpack((unsigned short)(x.bits << 8)); }
inline float value_of(E4M3 x) {
  int exponent = x.bits >> 3 & 15, mantissa = x.bits & 7;
  if (exponent == 15 && mantissa == 7) return NAN;
  float magnitude = exponent ? std::ldexp(float(8 + mantissa), exponent - 10) : std::ldexp(float(mantissa), -9);
  return x.bits & 0x80 ? -magnitude : magnitude;
}
template <class T>
T value_of(T x) {
  return x;
}

// To the nearest of the values that `mantissa_bits` after the first one and `least` (the exponent of the smallest
// normal number) allow; ties to even.
inline double round_to_grid(double x, int mantissa_bits, int least) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = std::max(std::ilogb(x), least);
  return std::ldexp(std::nearbyint(std::ldexp(x, mantissa_bits - exponent)), exponent - mantissa_bits);
}

template <class T>
struct Rounded {
  template <class W>
  static T from(W x) {
    return T(x);
  }
};
template <>
struct Rounded<Half> {
  template <class W>
  static Half from(W x) {
    return {HalfFormat::pack(to_odd(double(x)))};
  }
};
template <>
struct Rounded<Bfloat> {
  template <class W>
  static Bfloat from(W x) {
    return {BfloatFormat::pack(to_odd(double(x)))};
  }
};
template <>
struct Rounded<E4M3> {
  static E4M3 from(double x) {
    unsigned char sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x)) return {(unsigned char)(sign | 0x7f)};
    double magnitude = std::fmin(std::fabs(round_to_grid(x, 3, -6)), 448.0);
    if (magnitude == 0) return {sign};
    int exponent = std::max(std::ilogb(magnitude), -6);
    int mantissa = int(std::ldexp(magnitude, 3 - exponent));  // 8 … 15, less where subnormal
    return {(unsigned char)(sign | (mantissa >= 8 ? (exponent + 7) << 3 | (mantissa - 8) : mantissa))};
  }
};
template <>
struct Rounded<E5M2> {
  static E5M2 from(double x) {
    if (std::isnan(x)) return {0x7f};
    double rounded = std::fmin(std::fmax(round_to_grid(x, 2, -14), -57344.0), 57344.0);
    return {(unsigned char)(HalfFormat::pack(float(rounded)) >> 8)};
  }
};
// Integers round to nearest even and saturate.
template <>
struct Rounded<int8_t> {
  static int8_t from(double x) { return int8_t(std::fmin(std::fmax(std::nearbyint(x), -128.0), 127.0)); }
};

template <class T>
struct Is {
  using type = T;
};

// Calls `visit(Is<T>{})` with the type that stores such elements. Refuses those that nothing here computes with.
template <class Visit>
void with_real_element(Element type, Visit visit) {
  switch (type) {
    case Element::R_32F: return visit(Is<single>{});
    case Element::R_64F: return visit(Is<double>{});
    case Element::R_16F: return visit(Is<Half>{});
    case Element::R_16BF: return visit(Is<Bfloat>{});
    case Element::R_8F_E4M3: return visit(Is<E4M3>{});
    case Element::R_8F_E5M2: return visit(Is<E5M2>{});
    case Element::R_8I: return visit(Is<int8_t>{});
    case Element::R_32I: return visit(Is<int32_t>{});
    default: throw Refusal{Code::not_supported};
  }
}
template <class Visit>
void with_complex_element(Element type, Visit visit) {
  switch (type) {
    case Element::C_32F: return visit(Is<std::complex<single>>{});
    case Element::C_64F: return visit(Is<std::complex<double>>{});
    default: throw Refusal{Code::not_supported};
  }
}
template <class Work>
struct Works {
  template <class Visit>
  static void with(Element type, Visit visit) {
    with_real_element(type, visit);
  }
};
template <class R>
struct Works<std::complex<R>> {
  template <class Visit>
  static void with(Element type, Visit visit) {
    with_complex_element(type, visit);
  }
};

inline bool is_complex(Element type) { return type == Element::C_32F || type == Element::C_64F; }
inline size_t element_bytes(Element type) {
  size_t bytes = 0;
  auto measure = [&](auto is) { bytes = sizeof(typename decltype(is)::type); };
  is_complex(type) ? with_complex_element(type, measure) : with_real_element(type, measure);
  return bytes;
}

}  // namespace porter_sim
