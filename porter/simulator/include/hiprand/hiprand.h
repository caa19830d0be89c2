// hipRAND's host interface, over the simulator. The sequences are cuRAND's, not rocRAND's.
#pragma once
#define HIPRAND_H_  // programs test it to see what was included
#pragma GCC system_header

#include "hip/hip_runtime.h"
#include "porter_sim/random/host.h"

#define HIPRAND_VERSION 300100

typedef enum hiprandStatus {
  HIPRAND_STATUS_SUCCESS = 0,
  HIPRAND_STATUS_VERSION_MISMATCH = 100,
  HIPRAND_STATUS_NOT_INITIALIZED = 101,
  HIPRAND_STATUS_ALLOCATION_FAILED = 102,
  HIPRAND_STATUS_TYPE_ERROR = 103,
  HIPRAND_STATUS_OUT_OF_RANGE = 104,
  HIPRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  HIPRAND_STATUS_LAUNCH_FAILURE = 201,
  HIPRAND_STATUS_PREEXISTING_FAILURE = 202,
  HIPRAND_STATUS_INITIALIZATION_FAILED = 203,
  HIPRAND_STATUS_ARCH_MISMATCH = 204,
  HIPRAND_STATUS_INTERNAL_ERROR = 999,
  HIPRAND_STATUS_NOT_IMPLEMENTED = 1000,
} hiprandStatus_t;

typedef enum hiprandRngType {
  HIPRAND_RNG_TEST = 0,
  HIPRAND_RNG_PSEUDO_DEFAULT = 400,
  HIPRAND_RNG_PSEUDO_XORWOW = 401,
  HIPRAND_RNG_PSEUDO_MRG32K3A = 402,
  HIPRAND_RNG_PSEUDO_MTGP32 = 403,
  HIPRAND_RNG_PSEUDO_MT19937 = 404,
  HIPRAND_RNG_PSEUDO_PHILOX4_32_10 = 405,
  HIPRAND_RNG_QUASI_DEFAULT = 500,
  HIPRAND_RNG_QUASI_SOBOL32 = 501,
  HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502,
  HIPRAND_RNG_QUASI_SOBOL64 = 503,
  HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 504,
} hiprandRngType_t;

typedef enum hiprandOrdering {
  HIPRAND_ORDERING_PSEUDO_BEST = 100,
  HIPRAND_ORDERING_PSEUDO_DEFAULT = 101,
  HIPRAND_ORDERING_PSEUDO_SEEDED = 102,
  HIPRAND_ORDERING_PSEUDO_LEGACY = 103,
  HIPRAND_ORDERING_PSEUDO_DYNAMIC = 104,
  HIPRAND_ORDERING_QUASI_DEFAULT = 201,
} hiprandOrdering_t;

typedef ::porter_sim::random::Generator *hiprandGenerator_t;
typedef const ::porter_sim::random::Discrete *hiprandDiscreteDistribution_t;

namespace porter_sim::random {
inline Engine engine_of(hiprandRngType_t type) {
  switch (type) {
    case HIPRAND_RNG_PSEUDO_DEFAULT:
    case HIPRAND_RNG_PSEUDO_XORWOW: return Engine::xorwow;
    case HIPRAND_RNG_PSEUDO_MRG32K3A: return Engine::mrg;
    case HIPRAND_RNG_PSEUDO_MTGP32: return Engine::mtgp;
    case HIPRAND_RNG_PSEUDO_MT19937: return Engine::mersenne;
    case HIPRAND_RNG_PSEUDO_PHILOX4_32_10: return Engine::philox;
    case HIPRAND_RNG_QUASI_DEFAULT:
    case HIPRAND_RNG_QUASI_SOBOL32: return Engine::sobol;
    case HIPRAND_RNG_QUASI_SOBOL64: return Engine::sobol64;
    case HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64: return Engine::scrambled;
    default: return Engine::unknown;
  }
}
}  // namespace porter_sim::random

#define PORTER_RAND(name) hiprand##name
#define PORTER_RAND_TYPE(type) ::porter_sim::random::engine_of(type)
#define PORTER_RAND_DISTRIBUTION hiprandDiscreteDistribution_t
#include "porter_sim/random/host_face.h"
#undef PORTER_RAND
#undef PORTER_RAND_TYPE
#undef PORTER_RAND_DISTRIBUTION

typedef enum hiprandDirectionVectorSet {
  HIPRAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  HIPRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  HIPRAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  HIPRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104,
} hiprandDirectionVectorSet_t;
typedef unsigned int hiprandDirectionVectors32_t[32];
typedef unsigned long long hiprandDirectionVectors64_t[64];

// The dimensions whose direction numbers are known here; a program that reads further has its access reported.
inline hiprandStatus_t hiprandGetDirectionVectors32(hiprandDirectionVectors32_t **vectors, hiprandDirectionVectorSet_t set) {
  if (set == HIPRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) return hiprandStatus_t(::porter_sim::random::refuse_scrambled());
  if (set != HIPRAND_DIRECTION_VECTORS_32_JOEKUO6) return HIPRAND_STATUS_OUT_OF_RANGE;
  *vectors = (hiprandDirectionVectors32_t *)::porter_sim::random::sobol_directions(0);
  return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandGetDirectionVectors64(hiprandDirectionVectors64_t **vectors, hiprandDirectionVectorSet_t set) {
  if (set == HIPRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6) return hiprandStatus_t(::porter_sim::random::refuse_scrambled());
  if (set != HIPRAND_DIRECTION_VECTORS_64_JOEKUO6) return HIPRAND_STATUS_OUT_OF_RANGE;
  *vectors = (hiprandDirectionVectors64_t *)::porter_sim::random::sobol64_directions(0);
  return HIPRAND_STATUS_SUCCESS;
}

inline hiprandStatus_t hiprandGetVersion(int *version) {
  *version = HIPRAND_VERSION;
  return HIPRAND_STATUS_SUCCESS;
}
