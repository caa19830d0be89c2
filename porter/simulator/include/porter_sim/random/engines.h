// The generators of cuRAND's device interface: their states, one step, and skipping ahead.
//
// XORWOW: G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (2003). Philox4x32-10: J. Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011. MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined
// multiple recursive random number generators", Oper. Res. 47 (1999). How a seed and a subsequence become a state is
// cuRAND's; its numbers for given seeds are the tests' expectations.
#pragma once

#include "porter_sim/vector_types.h"

namespace porter_sim::random {

using Count = unsigned long long;

// The members of a state lie where cuRAND's do. `real32` and `real64` are the second number of a pair of normals, kept
// for the next call.
struct Xorwow {
  unsigned d;
  unsigned v[5];
  int has_real32, has_real64;
  float real32;
  double real64;
};

struct Philox {
  unsigned counter[4];
  unsigned output[4];  // of the counter
  unsigned key[2];
  unsigned position;  // of the next number in `output`
  int has_real32, has_real64;
  float real32;
  double real64;
};

struct Mrg {
  unsigned first[3];
  unsigned second[3];
  int has_real32, has_real64;
  float real32;
  double real64;
};

// Distances between subsequences as powers of two. `skipahead_sequence` of MRG32k3a has its own, larger one.
inline constexpr int xorwow_subsequence_log2 = 67;
inline constexpr int mrg_subsequence_log2 = 76;
inline constexpr int mrg_sequence_log2 = 127;

// `count * 2^stride_log2` steps ahead. The tables behind them are in the library's object.
void jump(Xorwow &state, Count count, int stride_log2);
void jump(Mrg &state, Count count, int stride_log2);

inline unsigned next(Xorwow &s) {
  unsigned t = s.v[0] ^ (s.v[0] >> 2), last = s.v[4];
  for (int i = 0; i < 4; ++i) s.v[i] = s.v[i + 1];
  s.v[4] = (last ^ (last << 4)) ^ (t ^ (t << 1));
  s.d += 362437;
  return s.v[4] + s.d;
}

inline void seed(Xorwow &s, Count value) {
  unsigned low = unsigned(value) ^ 0xaad26b49u, high = unsigned(value >> 32) ^ 0xf7dcefddu;
  unsigned t0 = 1099087573u * low, t1 = 2591861531u * high;
  s = {6615241u + t1 + t0,
       {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0},
       {}};
}

inline void encrypt(Philox &s) {
  unsigned c0 = s.counter[0], c1 = s.counter[1], c2 = s.counter[2], c3 = s.counter[3];
  unsigned k0 = s.key[0], k1 = s.key[1];
  for (int round = 0; round < 10; ++round) {
    Count p0 = Count(0xd2511f53u) * c0, p1 = Count(0xcd9e8d57u) * c2;
    unsigned n0 = unsigned(p1 >> 32) ^ c1 ^ k0, n2 = unsigned(p0 >> 32) ^ c3 ^ k1;
    c1 = unsigned(p1), c3 = unsigned(p0), c0 = n0, c2 = n2;
    k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
  }
  s.output[0] = c0, s.output[1] = c1, s.output[2] = c2, s.output[3] = c3;
}

// Adds to the 64-bit half of the counter that starts at `word`; a carry goes on into the higher half.
inline void advance(Philox &s, int word, Count amount) {
  Count half = Count(s.counter[word + 1]) << 32 | s.counter[word];
  half += amount;
  s.counter[word] = unsigned(half), s.counter[word + 1] = unsigned(half >> 32);
  if (half < amount && word == 0) advance(s, 2, 1);
}

inline unsigned next(Philox &s) {
  unsigned value = s.output[s.position++];
  if (s.position == 4) {
    advance(s, 0, 1);
    encrypt(s);
    s.position = 0;
  }
  return value;
}

inline void jump(Philox &s, Count count, int) {
  Count within = s.position + count % 4;
  advance(s, 0, count / 4 + within / 4);
  s.position = unsigned(within % 4);
  encrypt(s);
}
inline void jump_subsequence(Philox &s, Count count) {
  advance(s, 2, count);
  encrypt(s);
}

inline void seed(Philox &s, Count value) {
  s = {{0, 0, 0, 0}, {}, {unsigned(value), unsigned(value >> 32)}, 0, {}};
  encrypt(s);
}

inline constexpr Count mrg_modulus1 = 4294967087ull, mrg_modulus2 = 4294944443ull;

// In [1, modulus1].
inline Count next_raw(Mrg &s) {
  Count p1 = (1403580ull * s.first[1] + 810728ull * (mrg_modulus1 - s.first[0])) % mrg_modulus1;
  Count p2 = (527612ull * s.second[2] + 1370589ull * (mrg_modulus2 - s.second[0])) % mrg_modulus2;
  s.first[0] = s.first[1], s.first[1] = s.first[2], s.first[2] = unsigned(p1);
  s.second[0] = s.second[1], s.second[1] = s.second[2], s.second[2] = unsigned(p2);
  return p1 > p2 ? p1 - p2 : p1 + mrg_modulus1 - p2;
}

// Stretched to all of 32 bits.
inline unsigned next(Mrg &s) { return unsigned(double(next_raw(s)) * 1.000000048662); }

inline void seed(Mrg &s, Count value) {
  s = {{12345, 12345, 12345}, {12345, 12345, 12345}, {}};
  if (!value) return;
  unsigned low = unsigned(value) ^ 0x55555555u, high = unsigned(value >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    s.first[i] = unsigned(Count(i == 1 ? high : low) * s.first[i] % mrg_modulus1);
    s.second[i] = unsigned(Count(i == 1 ? low : high) * s.second[i] % mrg_modulus2);
  }
}

inline void initialise(Xorwow &s, Count value, Count subsequence, Count offset) {
  seed(s, value);
  jump(s, subsequence, xorwow_subsequence_log2);
  jump(s, offset, 0);
}
inline void initialise(Philox &s, Count value, Count subsequence, Count offset) {
  seed(s, value);
  jump_subsequence(s, subsequence);
  jump(s, offset, 0);
}
inline void initialise(Mrg &s, Count value, Count subsequence, Count offset) {
  seed(s, value);
  jump(s, subsequence, mrg_subsequence_log2);
  jump(s, offset, 0);
}

// A Sobol' sequence in Gray code order: one dimension's direction numbers. A scrambled one is the same with scrambled
// direction numbers, and every number xored with `shift`.
template <class Word>
struct SobolOf {
  static constexpr int bits = 8 * sizeof(Word);
  Word index;
  Word value;
  Word shift;
  Word directions[bits];
};
using Sobol = SobolOf<unsigned>;
using Sobol64 = SobolOf<Count>;

template <class Word>
void jump(SobolOf<Word> &s, Count count, int = 0) {
  s.index += Word(count);
  s.value = s.shift;
  Word gray = s.index ^ (s.index >> 1);
  for (int bit = 0; bit < s.bits; ++bit) {
    if (gray >> bit & 1) s.value ^= s.directions[bit];
  }
}

template <class Word>
Word next(SobolOf<Word> &s) {
  Word value = s.value;
  s.value ^= s.directions[__builtin_ctzll(~s.index | Word(1) << (s.bits - 1))];
  ++s.index;
  return value;
}

template <class Word>
void initialise(SobolOf<Word> &s, const Word *directions, Word shift, Count offset) {
  s = {};
  s.shift = shift;
  for (int i = 0; i < s.bits; ++i) s.directions[i] = directions[i];
  jump(s, offset);
}

}  // namespace porter_sim::random
