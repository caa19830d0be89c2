// cuRAND's device functions for Philox4x32-10 and XORWOW, as plain code.
//
// Philox: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. XORWOW: G. Marsaglia,
// "Xorshift RNGs", J. Stat. Software 8 (2003). A number of the Philox stream is a function of its place in it:
// words 0 and 1 of the counter number the blocks of four in a subsequence, words 2 and 3 the subsequence.
#pragma once
#include "porter_host_defines.h"
#include "cuda_runtime.h"
#define PORTER_RANDOM PORTER_D inline

// Every member is made of words of 32 bits, so that arrays of states have one element type; sizes and offsets
// are cuRAND's.
struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;  // of the counter
    uint2 key;
    unsigned int STATE;  // the next number's place in `output`
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    uint2 boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateXORWOW {
    unsigned int d;
    unsigned int v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    uint2 boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

// --- bits ---

PORTER_RANDOM uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned int high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
        const unsigned int high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
        counter.x = high1 ^ counter.y ^ key.x;
        counter.y = low1;
        counter.z = high0 ^ counter.w ^ key.y;
        counter.w = low0;
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

PORTER_RANDOM void porter_next_block(curandStatePhilox4_32_10* state) {
    state->ctr.x += 1u;
    if (state->ctr.x == 0u) {
        state->ctr.y += 1u;
        if (state->ctr.y == 0u) {
            state->ctr.z += 1u;
            if (state->ctr.z == 0u) state->ctr.w += 1u;
        }
    }
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

PORTER_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStatePhilox4_32_10* state) {
    state->ctr.x = (unsigned int)(offset >> 2);
    state->ctr.y = (unsigned int)(offset >> 34);
    state->ctr.z = (unsigned int)subsequence;
    state->ctr.w = (unsigned int)(subsequence >> 32);
    state->key.x = (unsigned int)seed;
    state->key.y = (unsigned int)(seed >> 32);
    state->STATE = (unsigned int)offset & 3u;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double.x = 0u;
    state->boxmuller_extra_double.y = 0u;
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

PORTER_RANDOM void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
    const unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + count;
    state->ctr.z = (unsigned int)high;
    state->ctr.w = (unsigned int)(high >> 32);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

PORTER_RANDOM void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
    const unsigned int place = state->STATE + ((unsigned int)count & 3u);
    const unsigned long long blocks = (count >> 2) + (place >> 2);
    const unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + blocks;
    const unsigned long long carry = low < blocks ? 1ull : 0ull;
    state->STATE = place & 3u;
    state->ctr.x = (unsigned int)low;
    state->ctr.y = (unsigned int)(low >> 32);
    skipahead_sequence(carry, state);
}

PORTER_RANDOM unsigned int curand(curandStatePhilox4_32_10* state) {
    const unsigned int place = state->STATE;
    const unsigned int bits = place == 0u   ? state->output.x
                              : place == 1u ? state->output.y
                              : place == 2u ? state->output.z
                                            : state->output.w;
    state->STATE = (place + 1u) & 3u;
    if (state->STATE == 0u) porter_next_block(state);
    return bits;
}

PORTER_RANDOM uint4 curand4(curandStatePhilox4_32_10* state) {
    const uint4 now = state->output;
    porter_next_block(state);
    const uint4 next = state->output;
    const unsigned int place = state->STATE;
    if (place == 0u) return now;
    if (place == 1u) return make_uint4(now.y, now.z, now.w, next.x);
    if (place == 2u) return make_uint4(now.z, now.w, next.x, next.y);
    return make_uint4(now.w, next.x, next.y, next.z);
}

PORTER_RANDOM unsigned int curand(curandStateXORWOW* state) {
    const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437u;
    return state->v[4] + state->d;
}

// Subsequences of XORWOW are 2^67 numbers apart; the jump is a product of matrices of bits, which is not here.
PORTER_D void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                          curandStateXORWOW* state);
PORTER_D void skipahead(unsigned long long count, curandStateXORWOW* state);
PORTER_D void skipahead_sequence(unsigned long long count, curandStateXORWOW* state);

// --- distributions ---

PORTER_RANDOM float _curand_uniform(unsigned int bits) { return bits * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }

PORTER_RANDOM double porter_uniform_of_one(unsigned int bits) {
    return bits * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
// The low 53 bits of both words.
PORTER_RANDOM double porter_bits_of_two(unsigned int low, unsigned int high) {
    return (double)((unsigned long long)low ^ (unsigned long long)high << 21);
}
PORTER_RANDOM double porter_uniform_of_two(unsigned int low, unsigned int high) {
    return porter_bits_of_two(low, high) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}

PORTER_RANDOM float2 _curand_box_muller(unsigned int x, unsigned int y) {
    const float angle = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2.0f;
    const float radius = sqrtf(-2.0f * logf(_curand_uniform(x)));
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}
PORTER_RANDOM double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    const double half_turns = porter_bits_of_two(y0, y1) * 2.220446049250313e-16 + 1.1102230246251565e-16;
    const double radius = sqrt(-2.0 * log(porter_uniform_of_two(x0, x1)));
    return make_double2(radius * sinpi(half_turns), radius * cospi(half_turns));
}

#define PORTER_DISTRIBUTIONS(State)                                                             \
    PORTER_RANDOM float curand_uniform(State* state) { return _curand_uniform(curand(state)); } \
    PORTER_RANDOM float2 curand_normal2(State* state) {                                         \
        const unsigned int x = curand(state);                                                   \
        const unsigned int y = curand(state);                                                   \
        return _curand_box_muller(x, y);                                                        \
    }                                                                                           \
    PORTER_RANDOM double2 curand_normal2_double(State* state) {                                 \
        const unsigned int x0 = curand(state);                                                  \
        const unsigned int x1 = curand(state);                                                  \
        const unsigned int y0 = curand(state);                                                  \
        const unsigned int y1 = curand(state);                                                  \
        return _curand_box_muller_double(x0, x1, y0, y1);                                       \
    }                                                                                           \
    PORTER_RANDOM float curand_normal(State* state) {                                           \
        if (state->boxmuller_flag != 0) {                                                       \
            state->boxmuller_flag = 0;                                                          \
            return state->boxmuller_extra;                                                      \
        }                                                                                       \
        const float2 pair = curand_normal2(state);                                              \
        state->boxmuller_flag = 1;                                                              \
        state->boxmuller_extra = pair.y;                                                        \
        return pair.x;                                                                          \
    }                                                                                           \
    PORTER_RANDOM double curand_normal_double(State* state) {                                   \
        if (state->boxmuller_flag_double != 0) {                                                \
            state->boxmuller_flag_double = 0;                                                   \
            return __hiloint2double((int)state->boxmuller_extra_double.y,                       \
                                    (int)state->boxmuller_extra_double.x);                      \
        }                                                                                       \
        const double2 pair = curand_normal2_double(state);                                      \
        state->boxmuller_flag_double = 1;                                                       \
        state->boxmuller_extra_double.x = (unsigned int)__double2loint(pair.y);                 \
        state->boxmuller_extra_double.y = (unsigned int)__double2hiint(pair.y);                 \
        return pair.x;                                                                          \
    }                                                                                           \
    PORTER_RANDOM float curand_log_normal(State* state, float mean, float deviation) {          \
        return expf(mean + deviation * curand_normal(state));                                   \
    }                                                                                           \
    PORTER_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) { \
        return exp(mean + deviation * curand_normal_double(state));                             \
    }                                                                                           \
    PORTER_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {        \
        const float2 pair = curand_normal2(state);                                              \
        return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));   \
    }
PORTER_DISTRIBUTIONS(curandStatePhilox4_32_10)
PORTER_DISTRIBUTIONS(curandStateXORWOW)
#undef PORTER_DISTRIBUTIONS

// One number of the Philox stream makes a `double`; two numbers of XORWOW do.
PORTER_RANDOM double curand_uniform_double(curandStatePhilox4_32_10* state) {
    return porter_uniform_of_one(curand(state));
}
PORTER_RANDOM double curand_uniform_double(curandStateXORWOW* state) {
    const unsigned int low = curand(state);
    const unsigned int high = curand(state);
    return porter_uniform_of_two(low, high);
}

PORTER_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return make_float4(_curand_uniform(bits.x), _curand_uniform(bits.y), _curand_uniform(bits.z),
                       _curand_uniform(bits.w));
}
PORTER_RANDOM float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    const float2 a = _curand_box_muller(bits.x, bits.y);
    const float2 b = _curand_box_muller(bits.z, bits.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
PORTER_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
    const float4 n = curand_normal4(state);
    return make_float4(expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
                       expf(mean + deviation * n.w));
}
PORTER_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return make_double2(porter_uniform_of_two(bits.x, bits.y), porter_uniform_of_two(bits.z, bits.w));
}
#undef PORTER_RANDOM
