// tf32: float's exponent with ten bits of fraction, kept in a float.
#pragma once

#include "porter_sim/small_float.h"

namespace porter_sim {

inline float cut_to_tf32(float x) { return bits_float(float_bits(x) & 0xffffe000u); }

// To nearest, ties away from zero, as cvt.rna.tf32.f32 does it.
inline float round_to_tf32(float x) {
  unsigned bits = float_bits(x);
  if ((bits & 0x7f800000u) == 0x7f800000u) return bits & 0x7fffffu ? bits_float(0x7fffffffu) : x;
  return bits_float((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace porter_sim
