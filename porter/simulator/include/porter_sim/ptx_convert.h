// PTX's cvt: numbers between all types with a named rounding, and pairs of small floats.
#pragma once

#include "porter_sim/float8.h"
#include "porter_sim/ptx.h"

namespace porter_sim {
namespace ptx {

inline double rounded_whole(double x, Rounding rounding) {
  switch (rounding) {
    case Rounding::zero: return std::trunc(x);
    case Rounding::up: return std::ceil(x);
    case Rounding::down: return std::floor(x);
    default: return std::nearbyint(x);
  }
}

// `whole`: between floats, round to an integer (cvt.rni.f32.f32). Between integers the value is clipped nowhere: it is
// cut to the target's bits, as cvt without .sat does.
template <class To, bool whole, class From>
To cvt(From x, Rounding rounding) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return To(x);
  } else if constexpr (std::is_integral_v<To>) {
    return to_integer<To, sizeof(From) == 8>(rounded_whole(double(x), rounding));
  } else if constexpr (std::is_integral_v<From>) {
    if constexpr (is_small<To>) {
      return To::of(double(to_odd((long double)x)), direction(rounding));
    } else {
      return directed(To(x), (long double)x - To(x), rounding);
    }
  } else {
    double value = whole ? rounded_whole(double(x), rounding) : double(x);
    if constexpr (is_small<To>) {
      return To::of(value, direction(rounding));
    } else if constexpr (sizeof(To) < sizeof(From)) {
      return std::isinf(value) || value != value ? To(value) : directed(To(value), (long double)value - To(value), rounding);
    } else {
      return To(value);
    }
  }
}
template <class To, class From>
To cvt_sat(From x, Rounding rounding) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    __int128 value = x;
    if (value < std::numeric_limits<To>::min()) return std::numeric_limits<To>::min();
    if (value > std::numeric_limits<To>::max()) return std::numeric_limits<To>::max();
    return To(value);
  } else if constexpr (std::is_integral_v<To>) {
    return cvt<To, false>(x, rounding);
  } else {
    return saturated(cvt<To, false>(x, rounding));
  }
}

template <class One>
uint32_t pack_pair(float high, float low, Rounding rounding, bool relu) {
  if (relu && high < 0) high = 0;
  if (relu && low < 0) low = 0;
  return uint32_t(One::of(high, direction(rounding)).bits) << 16 | One::of(low, direction(rounding)).bits;
}
inline uint32_t pack_f16x2(float high, float low, Rounding r, bool relu) { return pack_pair<Half>(high, low, r, relu); }
inline uint32_t pack_bf16x2(float high, float low, Rounding r, bool relu) { return pack_pair<Bfloat>(high, low, r, relu); }
inline uint16_t pack_pair8(double high, double low, const Float8Format &format) {
  return uint16_t(to_float8(high, true, format, Vendor::nvidia) << 8 | to_float8(low, true, format, Vendor::nvidia));
}
inline uint16_t pack_e4m3x2(float high, float low, Rounding, bool relu) {
  return pack_pair8(relu && high < 0 ? 0 : high, relu && low < 0 ? 0 : low, e4m3_format);
}
inline uint16_t pack_e5m2x2(float high, float low, Rounding, bool relu) {
  return pack_pair8(relu && high < 0 ? 0 : high, relu && low < 0 ? 0 : low, e5m2_format);
}
inline uint16_t pack_e4m3x2(Half2 v) { return pack_pair8(v.y, v.x, e4m3_format); }
inline uint16_t pack_e5m2x2(Half2 v) { return pack_pair8(v.y, v.x, e5m2_format); }
inline uint32_t unpack8(uint16_t v, const Float8Format &format) {
  Half high(double(float8_to_float(uint8_t(v >> 8), format))), low(double(float8_to_float(uint8_t(v), format)));
  return uint32_t(high.bits) << 16 | low.bits;
}
inline uint32_t unpack_e4m3x2(uint16_t v) { return unpack8(v, e4m3_format); }
inline uint32_t unpack_e5m2x2(uint16_t v) { return unpack8(v, e5m2_format); }

}  // namespace ptx
}  // namespace porter_sim
