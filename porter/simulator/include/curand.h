// cuRAND's host interface, over the simulator.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "library_types.h"
#include "porter_sim/random/host.h"

// The guard by which programs know that the header is there.
#define CURAND_H_
#define CURAND_VERSION 10310
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 10
#define CURANDAPI

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999,
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201,
} curandOrdering_t;

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104,
} curandDirectionVectorSet_t;

typedef ::porter_sim::random::Generator *curandGenerator_t;
typedef const ::porter_sim::random::Discrete *curandDiscreteDistribution_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

namespace porter_sim::random {
inline Engine engine_of(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: return Engine::xorwow;
    case CURAND_RNG_PSEUDO_MRG32K3A: return Engine::mrg;
    case CURAND_RNG_PSEUDO_MTGP32: return Engine::mtgp;
    case CURAND_RNG_PSEUDO_MT19937: return Engine::mersenne;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return Engine::philox;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32: return Engine::sobol;
    case CURAND_RNG_QUASI_SOBOL64: return Engine::sobol64;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: return Engine::scrambled;
    default: return Engine::unknown;
  }
}
}  // namespace porter_sim::random

#define PORTER_RAND(name) curand##name
#define PORTER_RAND_TYPE(type) ::porter_sim::random::engine_of(type)
#define PORTER_RAND_DISTRIBUTION curandDiscreteDistribution_t
#include "porter_sim/random/host_face.h"
#undef PORTER_RAND
#undef PORTER_RAND_TYPE
#undef PORTER_RAND_DISTRIBUTION

inline curandStatus_t curandGetVersion(int *version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  *value = type == MAJOR_VERSION ? CURAND_VER_MAJOR : type == MINOR_VERSION ? CURAND_VER_MINOR : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}
// The dimensions whose direction numbers are known here; a program that reads further has its access reported.
inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors, curandDirectionVectorSet_t set) {
  if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) return curandStatus_t(::porter_sim::random::refuse_scrambled());
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors32_t *)::porter_sim::random::sobol_directions(0);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors, curandDirectionVectorSet_t set) {
  if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6) return curandStatus_t(::porter_sim::random::refuse_scrambled());
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors64_t *)::porter_sim::random::sobol64_directions(0);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants32(unsigned **) { return curandStatus_t(::porter_sim::random::refuse_scrambled()); }
inline curandStatus_t curandGetScrambleConstants64(unsigned long long **) {
  return curandStatus_t(::porter_sim::random::refuse_scrambled());
}
