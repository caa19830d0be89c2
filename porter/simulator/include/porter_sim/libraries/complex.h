// Complex arithmetic under a face's names: NAME(add) is cuCadd, cuCaddf, hipCadd or hipCaddf.
#pragma once

#include "porter_sim/libraries/single.h"

namespace porter_sim {

// The larger part is taken out, so that no square overflows or vanishes.
template <class R>
R complex_magnitude(R x, R y) {
  R large = std::fmax(std::fabs(x), std::fabs(y)), small = std::fmin(std::fabs(x), std::fabs(y));
  if (large == R(0) || std::isinf(large) || std::isinf(small)) return large + small;
  R ratio = small / large;
  return large * std::sqrt(R(1) + ratio * ratio);
}

}  // namespace porter_sim

#define PORTER_COMPLEX_ARITHMETIC(C, R, NAME, MAKE)                                       \
  inline C MAKE(R x, R y) { return {x, y}; }                                              \
  inline R NAME(real)(C a) { return a.x; }                                                \
  inline R NAME(imag)(C a) { return a.y; }                                                \
  inline C NAME(add)(C a, C b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline C NAME(sub)(C a, C b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline C NAME(mul)(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  /* Scaled by the divisor's size, so that its square neither overflows nor vanishes. */  \
  inline C NAME(div)(C a, C b) {                                                          \
    R scale = R(1) / (std::fabs(b.x) + std::fabs(b.y));                                   \
    R ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;             \
    R factor = R(1) / (bx * bx + by * by);                                                \
    return {(ax * bx + ay * by) * factor, (ay * bx - ax * by) * factor};                  \
  }                                                                                       \
  inline R NAME(abs)(C a) { return ::porter_sim::complex_magnitude(a.x, a.y); }           \
  inline C NAME(fma)(C a, C b, C c) {                                                     \
    return {-(a.y * b.y) + (a.x * b.x + c.x), a.y * b.x + (a.x * b.y + c.y)};             \
  }
