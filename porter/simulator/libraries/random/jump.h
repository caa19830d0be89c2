// Skipping ahead: XORWOW's and MRG32k3a's steps are linear maps, so 2^k steps are a power of one matrix.
#pragma once

#include "porter_sim/random/engines.h"

namespace porter_sim::random {

namespace {

constexpr int digits = 64;  // of a count of steps

// XORWOW's five words as one column of 160 bits.
struct Bits {
  Count low, middle;
  unsigned high;
  void operator^=(const Bits &other) { low ^= other.low, middle ^= other.middle, high ^= other.high; }
};

Bits packed(const unsigned *v) { return {v[0] | Count(v[1]) << 32, v[2] | Count(v[3]) << 32, v[4]}; }
void unpack(const Bits &b, unsigned *v) {
  v[0] = unsigned(b.low), v[1] = unsigned(b.low >> 32), v[2] = unsigned(b.middle), v[3] = unsigned(b.middle >> 32);
  v[4] = b.high;
}

struct BitMatrix {
  Bits column[160];

  Bits operator*(const Bits &vector) const {
    Bits sum{};
    add(sum, vector.low, 0);
    add(sum, vector.middle, 64);
    add(sum, vector.high, 128);
    return sum;
  }
  void add(Bits &sum, Count word, int first) const {
    for (; word; word &= word - 1) sum ^= column[first + __builtin_ctzll(word)];
  }
};

BitMatrix xorwow_step() {
  BitMatrix m;
  for (int bit = 0; bit < 160; ++bit) {
    Xorwow s{};
    s.v[bit / 32] = 1u << bit % 32;
    next(s);
    m.column[bit] = packed(s.v);
  }
  return m;
}

// powers[k] is 2^k steps.
const BitMatrix *xorwow_powers() {
  constexpr int count = xorwow_subsequence_log2 + digits;
  static const BitMatrix *powers = [] {
    auto *made = new BitMatrix[count];
    made[0] = xorwow_step();
    for (int k = 1; k < count; ++k) {
      for (int bit = 0; bit < 160; ++bit) made[k].column[bit] = made[k - 1] * made[k - 1].column[bit];
    }
    return made;
  }();
  return powers;
}

// The threads of a grid mostly ask for one subsequence after the other: each is one step from the last.
struct LastJump {
  Bits from, to;
  Count count;
  int stride_log2;
};
thread_local LastJump last_jump;

bool same(const Bits &a, const Bits &b) { return a.low == b.low && a.middle == b.middle && a.high == b.high; }

using Triple = Count[3];

struct ModularMatrix {
  Count entry[3][3];
};

ModularMatrix product(const ModularMatrix &a, const ModularMatrix &b, Count modulus) {
  ModularMatrix result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Count sum = 0;
      for (int k = 0; k < 3; ++k) sum = (sum + a.entry[i][k] * b.entry[k][j] % modulus) % modulus;
      result.entry[i][j] = sum;
    }
  }
  return result;
}

void apply(const ModularMatrix &m, unsigned *vector, Count modulus) {
  unsigned result[3];
  for (int i = 0; i < 3; ++i) {
    Count sum = 0;
    for (int k = 0; k < 3; ++k) sum = (sum + m.entry[i][k] * vector[k] % modulus) % modulus;
    result[i] = unsigned(sum);
  }
  memcpy(vector, result, sizeof result);
}

constexpr int mrg_powers_count = mrg_sequence_log2 + digits;

const ModularMatrix *modular_powers(ModularMatrix step, Count modulus) {
  auto *made = new ModularMatrix[mrg_powers_count];
  made[0] = step;
  for (int k = 1; k < mrg_powers_count; ++k) made[k] = product(made[k - 1], made[k - 1], modulus);
  return made;
}

}  // namespace

void jump(Xorwow &s, Count count, int stride_log2) {
  if (stride_log2 < 32) s.d += 362437u * unsigned(count << stride_log2);
  if (!count) return;
  const BitMatrix *powers = xorwow_powers();
  LastJump &last = last_jump;
  Bits from = packed(s.v), to = from;
  if (last.count && count == last.count + 1 && stride_log2 == last.stride_log2 && same(from, last.from)) {
    to = powers[stride_log2] * last.to;
  } else {
    for (Count rest = count; rest; rest &= rest - 1) to = powers[stride_log2 + __builtin_ctzll(rest)] * to;
  }
  last = {from, to, count, stride_log2};
  unpack(to, s.v);
}

void jump(Mrg &s, Count count, int stride_log2) {
  static const ModularMatrix *first =
      modular_powers({{{0, 1, 0}, {0, 0, 1}, {mrg_modulus1 - 810728, 1403580, 0}}}, mrg_modulus1);
  static const ModularMatrix *second =
      modular_powers({{{0, 1, 0}, {0, 0, 1}, {mrg_modulus2 - 1370589, 0, 527612}}}, mrg_modulus2);
  for (Count rest = count; rest; rest &= rest - 1) {
    int power = stride_log2 + __builtin_ctzll(rest);
    apply(first[power], s.first, mrg_modulus1);
    apply(second[power], s.second, mrg_modulus2);
  }
}

}  // namespace porter_sim::random
