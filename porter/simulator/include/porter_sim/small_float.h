// Bit-exact conversions between float and the two 16-bit formats, rounding to nearest even.
#pragma once

#include "porter_sim/atomics.h"

namespace porter_sim {

inline unsigned float_bits(float x) { return bit_copy<unsigned>(x); }
inline float bits_float(unsigned x) { return bit_copy<float>(x); }

enum class Direction { nearest, zero, up, down };

// Whether a magnitude with `rest` of `half_unit` cut off is to be raised by one unit.
inline bool rounds_up(Direction direction, bool negative, unsigned rest, unsigned half_unit, bool odd) {
  switch (direction) {
    case Direction::zero:
      return false;
    case Direction::up:
      return rest && !negative;
    case Direction::down:
      return rest && negative;
    default:
      return rest > half_unit || (rest == half_unit && odd);
  }
}

inline unsigned short float_to_half_bits(float value, Direction direction = Direction::nearest) {
  unsigned bits = float_bits(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  bool negative = sign != 0;
  if (magnitude > 0x7f800000u) return (unsigned short)0x7fff;
  if (magnitude == 0x7f800000u) return (unsigned short)(sign | 0x7c00u);
  int exponent = int(magnitude >> 23) - 127;
  unsigned mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  int cut = exponent >= -14 ? 13 : 13 + (-14 - exponent);
  unsigned kept, rest, half_unit;
  if (cut > 24) {
    kept = 0, rest = magnitude != 0, half_unit = 2;
  } else {
    kept = mantissa >> cut, rest = mantissa & ((1u << cut) - 1), half_unit = 1u << (cut - 1);
  }
  unsigned result = exponent >= -14 ? (unsigned(exponent + 14) << 10) + kept : kept;
  if (rounds_up(direction, negative, rest, half_unit, result & 1)) ++result;
  if (result >= 0x7c00u) {
    bool to_infinity = direction == Direction::nearest || (direction == Direction::up && !negative) ||
                       (direction == Direction::down && negative);
    result = to_infinity ? 0x7c00u : 0x7bffu;
  }
  return (unsigned short)(sign | result);
}

inline float half_bits_to_float(unsigned short half) {
  unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ffu;
  if (exponent == 31) return bits_float(sign | 0x7f800000u | mantissa << 13);
  if (exponent) return bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = float(mantissa) * 5.9604644775390625e-8f;  // 2^-24
  return bits_float(sign | float_bits(magnitude));
}

inline unsigned short float_to_bfloat_bits(float value, Direction direction = Direction::nearest) {
  unsigned bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)0x7fff;
  unsigned kept = bits >> 16, rest = bits & 0xffffu;
  if ((kept & 0x7fffu) != 0x7f80u && rounds_up(direction, bits >> 31, rest, 0x8000u, kept & 1)) ++kept;
  return (unsigned short)kept;
}

inline float bfloat_bits_to_float(unsigned short bfloat) { return bits_float(unsigned(bfloat) << 16); }

struct HalfFormat {
  static unsigned short pack(float x, Direction d = Direction::nearest) { return float_to_half_bits(x, d); }
  static float unpack(unsigned short x) { return half_bits_to_float(x); }
};
struct BfloatFormat {
  static unsigned short pack(float x, Direction d = Direction::nearest) { return float_to_bfloat_bits(x, d); }
  static float unpack(unsigned short x) { return bfloat_bits_to_float(x); }
};

// Rounding to odd keeps what a later rounding to fewer bits has to know: whether anything was cut off.
template <class Wide>
inline float to_odd(Wide x) {
  float f = float(x);
  if (Wide(f) == x || f != f) return f;
  unsigned bits = float_bits(f);
  if ((Wide(f) > x) == (x > 0)) --bits;
  return bits_float(bits | 1);
}
// x + y rounded to odd.
inline double sum_to_odd(double x, double y) {
  double sum = x + y;
  if (std::isinf(sum) || sum != sum) return sum;
  double part = sum - x, error = (x - (sum - part)) + (y - part);
  if (error == 0 || (bit_copy<uint64_t>(sum) & 1)) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace porter_sim
