// The host interface under a vendor's names. Includers define PORTER_RAND(name), PORTER_RAND_STATUS(name),
// PORTER_RAND_RNG(name), PORTER_RAND_ORDERING(name), the enumerations and PORTER_RAND_TYPE(type), a generator's kind as
// the core has it. Status numbers are the same for both vendors.
#pragma once

#include "porter_sim/random/discrete.h"
#include "porter_sim/random/host.h"

#define PORTER_RAND_CALL(...) \
  static_cast<PORTER_RAND(Status_t)>(::porter_sim::random::__VA_ARGS__)

inline PORTER_RAND(Status_t) PORTER_RAND(CreateGenerator)(PORTER_RAND(Generator_t) * out, PORTER_RAND(RngType_t) type) {
  return PORTER_RAND_CALL(create(out, PORTER_RAND_TYPE(type), false));
}
inline PORTER_RAND(Status_t) PORTER_RAND(CreateGeneratorHost)(PORTER_RAND(Generator_t) * out,
                                                              PORTER_RAND(RngType_t) type) {
  return PORTER_RAND_CALL(create(out, PORTER_RAND_TYPE(type), true));
}
inline PORTER_RAND(Status_t) PORTER_RAND(DestroyGenerator)(PORTER_RAND(Generator_t) g) {
  return PORTER_RAND_CALL(destroy(g));
}
inline PORTER_RAND(Status_t) PORTER_RAND(SetPseudoRandomGeneratorSeed)(PORTER_RAND(Generator_t) g,
                                                                       unsigned long long seed) {
  return PORTER_RAND_CALL(set_seed(g, seed));
}
inline PORTER_RAND(Status_t) PORTER_RAND(SetGeneratorOffset)(PORTER_RAND(Generator_t) g, unsigned long long offset) {
  return PORTER_RAND_CALL(set_offset(g, offset));
}
inline PORTER_RAND(Status_t) PORTER_RAND(SetGeneratorOrdering)(PORTER_RAND(Generator_t) g,
                                                               PORTER_RAND(Ordering_t) order) {
  return PORTER_RAND_CALL(set_ordering(g, int(order)));
}
inline PORTER_RAND(Status_t) PORTER_RAND(SetQuasiRandomGeneratorDimensions)(PORTER_RAND(Generator_t) g, unsigned count) {
  return PORTER_RAND_CALL(set_dimensions(g, count));
}
template <class Stream>
PORTER_RAND(Status_t) PORTER_RAND(SetStream)(PORTER_RAND(Generator_t) g, Stream) {
  return PORTER_RAND_CALL(check(g));
}
inline PORTER_RAND(Status_t) PORTER_RAND(GenerateSeeds)(PORTER_RAND(Generator_t) g) {
  return PORTER_RAND_CALL(check(g));
}
PORTER_NOINLINE inline PORTER_RAND(Status_t) PORTER_RAND(Generate)(PORTER_RAND(Generator_t) g, unsigned *out, size_t n) {
  return PORTER_RAND_CALL(generate_bits(g, out, n, __builtin_return_address(0)));
}

PORTER_NOINLINE inline PORTER_RAND(Status_t)
    PORTER_RAND(GenerateLongLong)(PORTER_RAND(Generator_t) g, unsigned long long *out, size_t n) {
  return PORTER_RAND_CALL(generate_long_bits(g, out, n, __builtin_return_address(0)));
}

// In the double-precision reference the program's float arrays hold doubles: the same numbers, as they are as floats.
#define PORTER_RAND_FILL(name, kind, precise, Real)                                                                  \
  PORTER_NOINLINE inline PORTER_RAND(Status_t) PORTER_RAND(Generate##name)(PORTER_RAND(Generator_t) g, Real *out,    \
                                                                          size_t n) {                                \
    return PORTER_RAND_CALL(generate(g, out, n, {::porter_sim::random::Kind::kind, precise, 0, 1}, __builtin_return_address(0)));          \
  }
#define PORTER_RAND_FILL2(name, kind, precise, Real)                                                                 \
  PORTER_NOINLINE inline PORTER_RAND(Status_t)                                                                       \
      PORTER_RAND(Generate##name)(PORTER_RAND(Generator_t) g, Real *out, size_t n, Real mean, Real deviation) {      \
    return PORTER_RAND_CALL(generate(g, out, n, {::porter_sim::random::Kind::kind, precise, mean, deviation}, __builtin_return_address(0))); \
  }
PORTER_RAND_FILL(Uniform, uniform, false, float)
PORTER_RAND_FILL(UniformDouble, uniform, true, double)
PORTER_RAND_FILL2(Normal, normal, false, float)
PORTER_RAND_FILL2(NormalDouble, normal, true, double)
PORTER_RAND_FILL2(LogNormal, log_normal, false, float)
PORTER_RAND_FILL2(LogNormalDouble, log_normal, true, double)
#ifdef PORTER_SIM_WIDE
PORTER_RAND_FILL(Uniform, uniform, false, double)
PORTER_RAND_FILL2(Normal, normal, false, double)
PORTER_RAND_FILL2(LogNormal, log_normal, false, double)
#endif
#undef PORTER_RAND_FILL
#undef PORTER_RAND_FILL2

PORTER_NOINLINE inline PORTER_RAND(Status_t)
    PORTER_RAND(GeneratePoisson)(PORTER_RAND(Generator_t) g, unsigned *out, size_t n, double mean) {
  return PORTER_RAND_CALL(generate_poisson(g, out, n, mean, __builtin_return_address(0)));
}
inline PORTER_RAND(Status_t) PORTER_RAND(CreatePoissonDistribution)(double mean, PORTER_RAND_DISTRIBUTION *out) {
  return PORTER_RAND_CALL(create_poisson(mean, out));
}
inline PORTER_RAND(Status_t) PORTER_RAND(DestroyDistribution)(PORTER_RAND_DISTRIBUTION distribution) {
  return PORTER_RAND_CALL(destroy_distribution(distribution));
}
#undef PORTER_RAND_CALL
