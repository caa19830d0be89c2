// The device interface under a vendor's names. Includers define PORTER_RAND(name), PORTER_RAND_DRAW (the name of the
// function that returns plain bits) and PORTER_RAND_STATE(name).
#pragma once

#include "porter_sim/random/discrete.h"
#include "porter_sim/random/distributions.h"

#define PORTER_RAND_NAMES(engine, core)                                         \
  struct PORTER_RAND_STATE(engine) : ::porter_sim::random::core {};             \
  using PORTER_RAND_STATE(engine##_t) = PORTER_RAND_STATE(engine);              \
  inline auto &porter_core(PORTER_RAND_STATE(engine) & s) { return static_cast<::porter_sim::random::core &>(s); }

PORTER_RAND_NAMES(XORWOW, Xorwow)
PORTER_RAND_NAMES(Philox4_32_10, Philox)
PORTER_RAND_NAMES(MRG32k3a, Mrg)
PORTER_RAND_NAMES(Sobol32, Sobol)
PORTER_RAND_NAMES(Sobol64, Sobol64)
PORTER_RAND_NAMES(ScrambledSobol32, Sobol)
PORTER_RAND_NAMES(ScrambledSobol64, Sobol64)
#undef PORTER_RAND_NAMES

#define PORTER_RAND_COMMON(engine)                                                                                 \
  inline auto PORTER_RAND_DRAW(PORTER_RAND_STATE(engine) * s) { return next(porter_core(*s)); }                   \
  inline float PORTER_RAND(_uniform)(PORTER_RAND_STATE(engine) * s) {                                             \
    return ::porter_sim::random::uniform(porter_core(*s));                                                        \
  }                                                                                                               \
  inline double PORTER_RAND(_uniform_double)(PORTER_RAND_STATE(engine) * s) {                                     \
    return ::porter_sim::random::uniform_double(porter_core(*s));                                                 \
  }                                                                                                               \
  inline float PORTER_RAND(_normal)(PORTER_RAND_STATE(engine) * s) {                                              \
    return ::porter_sim::random::normal(porter_core(*s));                                                         \
  }                                                                                                               \
  inline double PORTER_RAND(_normal_double)(PORTER_RAND_STATE(engine) * s) {                                      \
    return ::porter_sim::random::normal_double(porter_core(*s));                                                  \
  }                                                                                                               \
  inline float PORTER_RAND(_log_normal)(PORTER_RAND_STATE(engine) * s, float mean, float deviation) {             \
    return ::porter_sim::random::log_normal(PORTER_RAND(_normal)(s), mean, deviation);                            \
  }                                                                                                               \
  inline double PORTER_RAND(_log_normal_double)(PORTER_RAND_STATE(engine) * s, double mean, double deviation) {   \
    return ::porter_sim::random::log_normal(PORTER_RAND(_normal_double)(s), mean, deviation);                     \
  }                                                                                                               \
  inline unsigned PORTER_RAND(_poisson)(PORTER_RAND_STATE(engine) * s, double mean) {                             \
    return ::porter_sim::random::poisson(porter_core(*s), mean);                                                  \
  }                                                                                                               \
  inline unsigned PORTER_RAND(_discrete)(PORTER_RAND_STATE(engine) * s, PORTER_RAND_DISTRIBUTION distribution) {  \
    return ::porter_sim::random::discrete(word_of(porter_core(*s)), *distribution);                                  \
  }                                                                                                               \
  inline void skipahead(unsigned long long count, PORTER_RAND_STATE(engine) * s) { jump(porter_core(*s), count, 0); }

#define PORTER_RAND_PAIRS(engine)                                                                                 \
  inline void PORTER_RAND(_init)(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, \
                                 PORTER_RAND_STATE(engine) * s) {                                                 \
    initialise(porter_core(*s), seed, subsequence, offset);                                                       \
  }                                                                                                               \
  inline float2 PORTER_RAND(_normal2)(PORTER_RAND_STATE(engine) * s) {                                            \
    return ::porter_sim::random::normal2(porter_core(*s));                                                        \
  }                                                                                                               \
  inline double2 PORTER_RAND(_normal2_double)(PORTER_RAND_STATE(engine) * s) {                                    \
    return ::porter_sim::random::normal2_double(porter_core(*s));                                                 \
  }                                                                                                               \
  inline float2 PORTER_RAND(_log_normal2)(PORTER_RAND_STATE(engine) * s, float mean, float deviation) {           \
    float2 v = PORTER_RAND(_normal2)(s);                                                                          \
    return {::porter_sim::random::log_normal(v.x, mean, deviation),                                               \
            ::porter_sim::random::log_normal(v.y, mean, deviation)};                                              \
  }                                                                                                               \
  inline double2 PORTER_RAND(_log_normal2_double)(PORTER_RAND_STATE(engine) * s, double mean, double deviation) { \
    double2 v = PORTER_RAND(_normal2_double)(s);                                                                  \
    return {::porter_sim::random::log_normal(v.x, mean, deviation),                                               \
            ::porter_sim::random::log_normal(v.y, mean, deviation)};                                              \
  }

PORTER_RAND_PAIRS(XORWOW)
PORTER_RAND_PAIRS(Philox4_32_10)
PORTER_RAND_PAIRS(MRG32k3a)
PORTER_RAND_COMMON(XORWOW)
PORTER_RAND_COMMON(Philox4_32_10)
PORTER_RAND_COMMON(MRG32k3a)
PORTER_RAND_COMMON(Sobol32)
PORTER_RAND_COMMON(Sobol64)
PORTER_RAND_COMMON(ScrambledSobol32)
PORTER_RAND_COMMON(ScrambledSobol64)
#undef PORTER_RAND_PAIRS
#undef PORTER_RAND_COMMON

inline void PORTER_RAND(_init)(const unsigned *directions, unsigned offset, PORTER_RAND_STATE(Sobol32) * s) {
  initialise(porter_core(*s), directions, 0u, offset);
}
inline void PORTER_RAND(_init)(const unsigned *directions, unsigned shift, unsigned offset,
                               PORTER_RAND_STATE(ScrambledSobol32) * s) {
  initialise(porter_core(*s), directions, shift, offset);
}
inline void PORTER_RAND(_init)(const unsigned long long *directions, unsigned long long offset,
                               PORTER_RAND_STATE(Sobol64) * s) {
  initialise(porter_core(*s), directions, 0ull, offset);
}
inline void PORTER_RAND(_init)(const unsigned long long *directions, unsigned long long shift, unsigned long long offset,
                               PORTER_RAND_STATE(ScrambledSobol64) * s) {
  initialise(porter_core(*s), directions, shift, offset);
}
inline void skipahead_sequence(unsigned long long count, PORTER_RAND_STATE(XORWOW) * s) {
  jump(porter_core(*s), count, ::porter_sim::random::xorwow_subsequence_log2);
}
inline void skipahead_sequence(unsigned long long count, PORTER_RAND_STATE(Philox4_32_10) * s) {
  jump_subsequence(porter_core(*s), count);
}
inline void skipahead_sequence(unsigned long long count, PORTER_RAND_STATE(MRG32k3a) * s) {
  jump(porter_core(*s), count, ::porter_sim::random::mrg_sequence_log2);
}
inline void skipahead_subsequence(unsigned long long count, PORTER_RAND_STATE(MRG32k3a) * s) {
  jump(porter_core(*s), count, ::porter_sim::random::mrg_subsequence_log2);
}

// Philox makes four numbers at a time.
inline uint4 PORTER_RAND_DRAW4(PORTER_RAND_STATE(Philox4_32_10) * s) {
  unsigned x = PORTER_RAND_DRAW(s), y = PORTER_RAND_DRAW(s), z = PORTER_RAND_DRAW(s), w = PORTER_RAND_DRAW(s);
  return {x, y, z, w};
}
inline float4 PORTER_RAND(_uniform4)(PORTER_RAND_STATE(Philox4_32_10) * s) {
  float x = PORTER_RAND(_uniform)(s), y = PORTER_RAND(_uniform)(s), z = PORTER_RAND(_uniform)(s);
  return {x, y, z, PORTER_RAND(_uniform)(s)};
}
inline double2 PORTER_RAND(_uniform2_double)(PORTER_RAND_STATE(Philox4_32_10) * s) {
  double x = uniform_double_of_two(porter_core(*s));
  return {x, uniform_double_of_two(porter_core(*s))};
}
inline float4 PORTER_RAND(_normal4)(PORTER_RAND_STATE(Philox4_32_10) * s) {
  float2 a = PORTER_RAND(_normal2)(s), b = PORTER_RAND(_normal2)(s);
  return {a.x, a.y, b.x, b.y};
}
inline float4 PORTER_RAND(_log_normal4)(PORTER_RAND_STATE(Philox4_32_10) * s, float mean, float deviation) {
  float2 a = PORTER_RAND(_log_normal2)(s, mean, deviation), b = PORTER_RAND(_log_normal2)(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
inline double4 PORTER_RAND(_uniform4_double)(PORTER_RAND_STATE(Philox4_32_10) * s) {
  double2 a = PORTER_RAND(_uniform2_double)(s), b = PORTER_RAND(_uniform2_double)(s);
  return {a.x, a.y, b.x, b.y};
}
inline double4 PORTER_RAND(_normal4_double)(PORTER_RAND_STATE(Philox4_32_10) * s) {
  double2 a = PORTER_RAND(_normal2_double)(s), b = PORTER_RAND(_normal2_double)(s);
  return {a.x, a.y, b.x, b.y};
}
inline double4 PORTER_RAND(_log_normal4_double)(PORTER_RAND_STATE(Philox4_32_10) * s, double mean, double deviation) {
  double2 a = PORTER_RAND(_log_normal2_double)(s, mean, deviation);
  double2 b = PORTER_RAND(_log_normal2_double)(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
inline uint4 PORTER_RAND(_poisson4)(PORTER_RAND_STATE(Philox4_32_10) * s, double mean) {
  unsigned x = PORTER_RAND(_poisson)(s, mean), y = PORTER_RAND(_poisson)(s, mean), z = PORTER_RAND(_poisson)(s, mean);
  return {x, y, z, PORTER_RAND(_poisson)(s, mean)};
}
inline uint4 PORTER_RAND(_discrete4)(PORTER_RAND_STATE(Philox4_32_10) * s, PORTER_RAND_DISTRIBUTION distribution) {
  unsigned x = PORTER_RAND(_discrete)(s, distribution), y = PORTER_RAND(_discrete)(s, distribution);
  unsigned z = PORTER_RAND(_discrete)(s, distribution);
  return {x, y, z, PORTER_RAND(_discrete)(s, distribution)};
}
