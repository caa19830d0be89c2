// Uniform, normal, log-normal and Poisson numbers out of a generator's bits, as cuRAND makes them.
//
// Uniform numbers are exact and in (0, 1]. Normal ones are Box-Muller's; the logarithm, sine and cosine are those of the
// CPU, so that the last bits may differ from a GPU's. Poisson numbers have the right distribution, not cuRAND's values.
#pragma once

#include "porter_sim/math.h"
#include "porter_sim/random/engines.h"

namespace porter_sim::random {

inline constexpr float unit32 = 2.3283064365386963e-10f;  // 2^-32
inline constexpr double unit53 = 1.1102230246251565e-16;  // 2^-53
inline constexpr double mrg_unit = 1.0 / double(mrg_modulus1);

// One word of an engine for a table of probabilities, which has 32 bits.
template <class State>
unsigned word_of(State &s) {
  return unsigned(next(s) >> (8 * sizeof(next(s)) - 32));
}
inline float to_uniform(unsigned bits) { return float(bits) * unit32 + unit32 / 2; }
inline double to_uniform_double(unsigned low, unsigned high) {
  return double(low ^ Count(high) << 21) * unit53 + unit53 / 2;
}

template <class State>
float uniform(State &s) {
  return to_uniform(next(s));
}
inline float uniform(Mrg &s) { return float(double(next_raw(s)) * mrg_unit); }

// Of all 53 bits, two numbers for one.
template <class State>
double uniform_double_of_two(State &s) {
  unsigned low = next(s), high = next(s);
  return to_uniform_double(low, high);
}

template <class State>
double uniform_double(State &s) {
  return uniform_double_of_two(s);
}
inline double uniform_double(Mrg &s) { return double(next_raw(s)) * mrg_unit; }
// One number of 32 bits where one call is one step of a sequence.
inline double to_uniform_double(unsigned bits) { return double(bits) * double(unit32) + double(unit32); }
inline double uniform_double(Philox &s) { return to_uniform_double(next(s)); }
inline double uniform_double(Sobol &s) { return to_uniform_double(next(s)); }
// The upper 32 of 64 bits make a float, the upper 53 a double.
inline float uniform(Sobol64 &s) { return to_uniform(unsigned(next(s) >> 32)); }
inline double uniform_double(Sobol64 &s) { return double(next(s) >> 11) * unit53 + unit53 / 2; }

inline float2 box_muller(unsigned x, unsigned y) {
  constexpr float turn = unit32 * 6.283185307179586f;
  float u = to_uniform(x), angle = float(y) * turn + turn / 2;
  float radius = std::sqrt(-2.0f * std::log(u));
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
inline double2 box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  double u = to_uniform_double(x0, x1), half_turns = double(y0 ^ Count(y1) << 21) * (2 * unit53) + unit53;
  double radius = std::sqrt(-2.0 * std::log(u));
  return {radius * ::sinpi(half_turns), radius * ::cospi(half_turns)};
}

template <class State>
float2 normal2(State &s) {
  unsigned x = next(s), y = next(s);
  return box_muller(x, y);
}
inline float2 normal2(Mrg &s) {
  float u = uniform(s), angle = uniform(s) * 6.283185307179586f;
  float radius = std::sqrt(-2.0f * std::log(u));
  return {radius * std::sin(angle), radius * std::cos(angle)};
}

template <class State>
double2 normal2_double(State &s) {
  unsigned x0 = next(s), x1 = next(s), y0 = next(s), y1 = next(s);
  return box_muller_double(x0, x1, y0, y1);
}
inline double2 normal2_double(Mrg &s) {
  double u = uniform_double(s), half_turns = uniform_double(s) * 2;
  double radius = std::sqrt(-2.0 * std::log(u));
  return {radius * ::sinpi(half_turns), radius * ::cospi(half_turns)};
}

// Normals come in pairs; the second one waits for the next call.
template <class State>
float normal(State &s) {
  if (s.has_real32) {
    s.has_real32 = 0;
    return s.real32;
  }
  float2 pair = normal2(s);
  s.real32 = pair.y, s.has_real32 = 1;
  return pair.x;
}
template <class State>
double normal_double(State &s) {
  if (s.has_real64) {
    s.has_real64 = 0;
    return s.real64;
  }
  double2 pair = normal2_double(s);
  s.real64 = pair.y, s.has_real64 = 1;
  return pair.x;
}

// A low-discrepancy sequence must not be paired: the inverse of the distribution function keeps its order.
inline double inverse_normal(double u) { return -1.4142135623730951 * ::porter_sim::inverse_erf(1 - 2 * u); }
inline float normal(Sobol &s) { return float(inverse_normal(double(uniform(s)))); }
inline double normal_double(Sobol &s) {
  return inverse_normal(double(next(s)) * double(unit32) + double(unit32) / 2);
}
inline float normal(Sobol64 &s) { return float(inverse_normal(double(uniform(s)))); }
inline double normal_double(Sobol64 &s) { return inverse_normal(uniform_double(s)); }

inline float log_normal(float normal, float mean, float deviation) { return std::exp(mean + deviation * normal); }
inline double log_normal(double normal, double mean, double deviation) { return std::exp(mean + deviation * normal); }

// D. Knuth's products for small means; W. Hormann's transformed rejection (PTRS, 1993) for large ones.
template <class State>
unsigned poisson(State &s, double mean) {
  if (!(mean > 0)) return 0;
  if (mean < 64) {
    unsigned count = 0;
    for (double product = std::exp(mean); (product *= uniform(s)) > 1.0;) ++count;
    return count;
  }
  double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  double scale = 1.1239 + 1.1328 / (b - 3.4), limit = 0.9277 - 3.6224 / (b - 2), log_mean = std::log(mean);
  for (;;) {
    double u = uniform_double(s) - 0.5, v = uniform_double(s), from_middle = 0.5 - std::fabs(u);
    double k = std::floor((2 * a / from_middle + b) * u + mean + 0.43);
    if (from_middle >= 0.07 && v <= limit) return unsigned(k);
    if (k < 0 || (from_middle < 0.013 && v > from_middle)) continue;
    int sign;
    double accept = k * log_mean - mean - ::lgamma_r(k + 1, &sign);
    if (std::log(v) + std::log(scale) - std::log(a / (from_middle * from_middle) + b) <= accept) return unsigned(k);
  }
}

}  // namespace porter_sim::random
