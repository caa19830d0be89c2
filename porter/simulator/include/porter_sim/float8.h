// The four 8-bit floating formats: rounding to nearest even with and without saturation, and back. NVIDIA's and
// AMD's headers disagree on overflow and NaN; `Vendor` says whose rules hold.
#pragma once

#include "porter_sim/small_float.h"

namespace porter_sim {

enum class Vendor { nvidia, amd };

// `mantissa` bits after the point; `fnuz` formats have neither -0 nor infinity, and one NaN, 0x80.
struct Float8Format {
  int mantissa;
  int bias;
  bool fnuz;
  bool has_infinity;
  unsigned char largest;
};
inline constexpr Float8Format e4m3_format{3, 7, false, false, 0x7e};
inline constexpr Float8Format e5m2_format{2, 15, false, true, 0x7b};
inline constexpr Float8Format e4m3_fnuz_format{3, 8, true, false, 0x7f};
inline constexpr Float8Format e5m2_fnuz_format{2, 16, true, false, 0x7f};

inline float float8_to_float(unsigned char bits, const Float8Format &format) {
  unsigned magnitude = bits & 0x7f;
  if (format.fnuz ? bits == 0x80 : magnitude > format.largest) {
    bool infinite = format.has_infinity && magnitude == unsigned(format.largest) + 1;
    return infinite ? (bits & 0x80 ? -HUGE_VALF : HUGE_VALF) : __builtin_nanf("");
  }
  int exponent = int(magnitude >> format.mantissa), fraction = int(magnitude & ((1u << format.mantissa) - 1));
  float value = exponent ? ldexpf(float(fraction + (1 << format.mantissa)), exponent - format.bias - format.mantissa)
                         : ldexpf(float(fraction), 1 - format.bias - format.mantissa);
  return bits & 0x80 ? -value : value;
}

// The magnitude's bits after rounding to nearest even; they grow past `largest` where it does not fit.
inline unsigned round_float8(double magnitude, const Float8Format &format) {
  int exponent = magnitude > 0 ? std::max(ilogb(magnitude), 1 - format.bias) : 1 - format.bias;
  double steps = std::nearbyint(ldexp(magnitude, format.mantissa - exponent));
  return unsigned(exponent + format.bias - 1) * (1u << format.mantissa) + unsigned(steps);
}

inline unsigned char float8_nan(unsigned char sign, const Float8Format &format) {
  return format.fnuz ? 0x80 : (unsigned char)(sign | 0x7f);
}

inline unsigned char overflow_float8(unsigned char sign, bool saturates, const Float8Format &format) {
  if (saturates) return (unsigned char)(sign | format.largest);
  if (format.has_infinity) return (unsigned char)(sign | (format.largest + 1));
  return float8_nan(sign, format);
}

inline unsigned char to_float8(double x, bool saturates, const Float8Format &format, Vendor vendor) {
  unsigned char sign = std::signbit(x) ? 0x80 : 0;
  double magnitude = std::fabs(x);
  if (x != x) return float8_nan(vendor == Vendor::nvidia ? 0 : sign, format);
  if (vendor == Vendor::amd) {
    // AMD's header: infinities are never saturated, and all above the largest number overflows, rounded or not.
    if (std::isinf(x)) return format.has_infinity ? (unsigned char)(sign | 0x7c) : float8_nan(sign, format);
    if (magnitude > float8_to_float(format.largest, format)) return overflow_float8(sign, saturates, format);
  }
  if (std::isinf(x)) return overflow_float8(sign, saturates, format);
  unsigned rounded = magnitude > 1e6 ? 0xffu : round_float8(magnitude, format);
  if (rounded > format.largest) return overflow_float8(sign, saturates, format);
  return rounded == 0 && format.fnuz ? 0 : (unsigned char)(sign | rounded);
}

}  // namespace porter_sim
