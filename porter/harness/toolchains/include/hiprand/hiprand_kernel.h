// porter's own minimal hiprand_kernel.h: hipRAND's device generators by name and kind, enough to build device code for
// AMD GPUs on a machine without ROCm. The recurrences are the named ones, the seeding is not rocRAND's: the numbers
// differ. It is searched after every real header, and a build that used it says so.
#pragma once

#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>

#define PORTER_RAND static inline __device__ __attribute__((always_inline))

struct hiprandStateXORWOW_t { unsigned word[5]; unsigned counter; float spare; bool has_spare; };
struct hiprandStatePhilox4_32_10_t { uint4 counter; uint2 key; uint4 block; unsigned used; float spare; bool has_spare; };
struct hiprandStateMRG32k3a_t { unsigned first[3]; unsigned second[3]; float spare; bool has_spare; };
struct hiprandStateSobol32_t { unsigned directions[32]; unsigned word, index; };
struct hiprandStateSobol64_t { unsigned long long directions[64]; unsigned long long word, index; };
typedef hiprandStateSobol32_t hiprandStateSobol32;
typedef hiprandStateSobol64_t hiprandStateSobol64;
typedef hiprandStateXORWOW_t hiprandState_t;
typedef hiprandStateXORWOW_t hiprandState;
typedef hiprandStateXORWOW_t hiprandStateXORWOW;
typedef hiprandStatePhilox4_32_10_t hiprandStatePhilox4_32_10;
typedef hiprandStateMRG32k3a_t hiprandStateMRG32k3a;

namespace porter_rand {
PORTER_RAND unsigned long long mixed(unsigned long long& seed) {  // SplitMix64
  unsigned long long z = (seed += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
PORTER_RAND uint4 philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p = 0xd2511f53ull * c.x, q = 0xcd9e8d57ull * c.z;
    c = make_uint4(static_cast<unsigned>(q >> 32) ^ c.y ^ k.x, static_cast<unsigned>(q),
                   static_cast<unsigned>(p >> 32) ^ c.w ^ k.y, static_cast<unsigned>(p));
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
}  // namespace porter_rand

PORTER_RAND void hiprand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                              hiprandStateXORWOW_t* state) {
  unsigned long long mix = seed ^ (sequence << 32) ^ sequence;
  for (int i = 0; i < 5; ++i) state->word[i] = static_cast<unsigned>(porter_rand::mixed(mix)) | 1u;
  state->counter = static_cast<unsigned>(mix + 362437ull * offset);
  state->has_spare = false;
}
PORTER_RAND void hiprand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                              hiprandStatePhilox4_32_10_t* state) {
  const unsigned long long place = offset / 4u;
  state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  state->counter = make_uint4(static_cast<unsigned>(place), static_cast<unsigned>(place >> 32),
                              static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32));
  state->block = porter_rand::philox(state->counter, state->key);
  state->used = static_cast<unsigned>(offset & 3u);
  state->has_spare = false;
}
PORTER_RAND void hiprand_init(unsigned long long seed, unsigned long long sequence, unsigned long long,
                              hiprandStateMRG32k3a_t* state) {
  unsigned long long mix = seed ^ (sequence << 32) ^ sequence;
  for (int i = 0; i < 3; ++i) {
    state->first[i] = static_cast<unsigned>(porter_rand::mixed(mix) % 4294967087ull) | 1u;
    state->second[i] = static_cast<unsigned>(porter_rand::mixed(mix) % 4294944443ull) | 1u;
  }
  state->has_spare = false;
}

PORTER_RAND unsigned hiprand(hiprandStateXORWOW_t* state) {
  const unsigned t = state->word[0] ^ (state->word[0] >> 2);
  for (int i = 0; i < 4; ++i) state->word[i] = state->word[i + 1];
  state->word[4] = (state->word[4] ^ (state->word[4] << 4)) ^ (t ^ (t << 1));
  state->counter += 362437u;
  return state->word[4] + state->counter;
}
PORTER_RAND uint4 hiprand4(hiprandStatePhilox4_32_10_t* state) {
  const uint4 block = state->block;
  if (++state->counter.x == 0u) ++state->counter.y;
  state->block = porter_rand::philox(state->counter, state->key);
  return block;
}
PORTER_RAND unsigned hiprand(hiprandStatePhilox4_32_10_t* state) {
  const unsigned at = state->used++ & 3u;
  const uint4 b = state->block;
  const unsigned value = at == 0u ? b.x : at == 1u ? b.y : at == 2u ? b.z : b.w;
  if (at == 3u) (void)hiprand4(state);
  return value;
}
PORTER_RAND unsigned hiprand(hiprandStateMRG32k3a_t* state) {
  const long long m1 = 4294967087ll, m2 = 4294944443ll;
  const long long p = ((1403580ll * state->first[1] - 810728ll * state->first[0]) % m1 + m1) % m1;
  const long long q = ((527612ll * state->second[2] - 1370589ll * state->second[0]) % m2 + m2) % m2;
  state->first[0] = state->first[1]; state->first[1] = state->first[2]; state->first[2] = static_cast<unsigned>(p);
  state->second[0] = state->second[1]; state->second[1] = state->second[2]; state->second[2] = static_cast<unsigned>(q);
  return static_cast<unsigned>(p > q ? p - q : p - q + m1);
}

// Gray code order: the direction of the lowest zero bit of the index changes the word.
PORTER_RAND unsigned hiprand(hiprandStateSobol32_t* state) {
  const unsigned word = state->word;
  state->word ^= state->directions[__builtin_ctz(~state->index++) & 31];
  return word;
}
PORTER_RAND unsigned long long hiprand(hiprandStateSobol64_t* state) {
  const unsigned long long word = state->word;
  state->word ^= state->directions[__builtin_ctzll(~state->index++) & 63];
  return word;
}
PORTER_RAND void hiprand_init(const unsigned* directions, unsigned offset, hiprandStateSobol32_t* state) {
  for (int i = 0; i < 32; ++i) state->directions[i] = directions[i];
  state->word = 0, state->index = 0;
  for (unsigned i = 0; i < offset; ++i) hiprand(state);
}
PORTER_RAND void hiprand_init(const unsigned long long* directions, unsigned long long offset,
                              hiprandStateSobol64_t* state) {
  for (int i = 0; i < 64; ++i) state->directions[i] = directions[i];
  state->word = 0, state->index = 0;
  for (unsigned long long i = 0; i < offset; ++i) hiprand(state);
}

template <typename State> PORTER_RAND float hiprand_uniform(State* state) {
  return static_cast<float>(hiprand(state)) * 2.3283064e-10f + 1.1641532e-10f;
}
template <typename State> PORTER_RAND double hiprand_uniform_double(State* state) {
  const unsigned long long low = hiprand(state);
  return (static_cast<double>((low | (static_cast<unsigned long long>(hiprand(state)) << 32)) >> 11) + 0.5) * 0x1p-53;
}
template <typename State> PORTER_RAND float2 hiprand_normal2(State* state) {
  const float radius = sqrtf(-2.0f * logf(hiprand_uniform(state)));
  const float angle = 6.2831853f * hiprand_uniform(state);
  return make_float2(radius * sinf(angle), radius * cosf(angle));
}
template <typename State> PORTER_RAND float hiprand_normal(State* state) {
  if (state->has_spare) {
    state->has_spare = false;
    return state->spare;
  }
  const float2 pair = hiprand_normal2(state);
  state->spare = pair.y;
  state->has_spare = true;
  return pair.x;
}
template <typename State> PORTER_RAND double2 hiprand_normal2_double(State* state) {
  const double radius = sqrt(-2.0 * log(hiprand_uniform_double(state)));
  const double angle = 6.283185307179586 * hiprand_uniform_double(state);
  return make_double2(radius * sin(angle), radius * cos(angle));
}
template <typename State> PORTER_RAND double hiprand_normal_double(State* state) {
  return hiprand_normal2_double(state).x;
}
template <typename State> PORTER_RAND float hiprand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * hiprand_normal(state));
}
template <typename State> PORTER_RAND double hiprand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * hiprand_normal_double(state));
}
template <typename State> PORTER_RAND unsigned hiprand_poisson(State* state, double lambda) {
  const double limit = exp(-lambda);
  double product = hiprand_uniform_double(state);
  unsigned count = 0;
  while (product > limit) {
    product *= hiprand_uniform_double(state);
    ++count;
  }
  return count;
}
PORTER_RAND float4 hiprand_uniform4(hiprandStatePhilox4_32_10_t* state) {
  const uint4 b = hiprand4(state);
  const float scale = 2.3283064e-10f, half = 1.1641532e-10f;
  return make_float4(b.x * scale + half, b.y * scale + half, b.z * scale + half, b.w * scale + half);
}
PORTER_RAND float4 hiprand_normal4(hiprandStatePhilox4_32_10_t* state) {
  const float2 a = hiprand_normal2(state), b = hiprand_normal2(state);
  return make_float4(a.x, a.y, b.x, b.y);
}
template <typename State> PORTER_RAND void skipahead(unsigned long long count, State* state) {
  for (unsigned long long i = 0; i < count; ++i) (void)hiprand(state);
}
#undef PORTER_RAND
