// PTX's warp and block instructions, and the matrix instructions on registers.
#pragma once

#include "porter_sim/matrix_map.h"
#include "porter_sim/ptx.h"

namespace porter_sim {
namespace ptx {

inline uint32_t lanes_equal() { return uint32_t(1ull << lane_id()); }
inline uint32_t lanes_below() { return uint32_t((1ull << lane_id()) - 1); }

// `clamp` holds a segment's mask in bits 8 to 12 and its end in bits 0 to 4 (PTX ISA, shfl.sync).
inline uint32_t shfl(Op op, uint32_t mask, uint32_t value, uint32_t by, uint32_t clamp, bool &inside, const char *file, int line) {
  unsigned lane = lane_id() % 32, segment = clamp >> 8 & 31, end = clamp & 31;
  unsigned most = (lane & segment) | (end & ~segment), least = lane & segment;
  by &= 31;
  int source = int(lane);
  switch (op) {
    case Op::shuffle_up: source = int(lane) - int(by), inside = source >= int(most); break;
    case Op::shuffle_down: source = int(lane + by), inside = source <= int(most); break;
    case Op::shuffle_xor: source = int(lane ^ by), inside = source <= int(most); break;
    default: source = int(least | (by & ~segment)), inside = source <= int(most);
  }
  if (!inside) source = int(lane);
  return shuffle(Op::shuffle_index, Mask::named, mask, value, source, 32, file, line);
}
inline uint32_t vote(Op op, uint32_t mask, bool test, const char *file, int line) {
  return uint32_t(::porter_sim::vote(op, Mask::named, mask, test, file, line));
}
inline uint32_t vote_uniform(uint32_t mask, bool test, const char *file, int line) {
  uint32_t set = vote(Op::ballot, mask, test, file, line);
  return set == 0 || set == mask;
}
template <class T>
uint32_t match(Op op, uint32_t mask, T value, const char *file, int line) {
  return uint32_t(::porter_sim::match(op, Mask::named, mask, value, file, line));
}
template <class T>
T redux(Op op, uint32_t mask, T value, const char *file, int line) {
  return reduce(op, Mask::named, mask, value, file, line);
}
inline uint32_t active(const char *file, int line) {
  return uint32_t(::porter_sim::vote(Op::active, Mask::none, 0, 0, file, line));
}
// The lowest of the lanes.
inline uint32_t elect(uint32_t mask, const char *file, int line) {
  return uint32_t(__builtin_ctzll(::porter_sim::vote(Op::ballot, Mask::named, mask, 1, file, line)));
}
inline void meet(uint32_t mask, const char *file, int line) {
  ::porter_sim::vote(Op::synchronise, Mask::named, mask, 0, file, line);
}
inline void bar(uint32_t number, uint32_t count, bool waits, const char *file, int line) {
  if (number == 0 && count == 0 && waits) {
    block_barrier(Vote::none, 0, file, line);
  } else {
    named_barrier(number, count, waits, file, line);
  }
}

// How a register holds elements of a matrix's type.
template <class T>
struct Element {
  using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static constexpr unsigned pack = sizeof(Word) / sizeof(T);
  static auto of(const Word *words, unsigned index) {
    return as<T>(words[index / pack] >> (8 * sizeof(T) * (index % pack)) % (8 * sizeof(Word)));
  }
};
template <>
struct Element<Tf32> {
  using Word = uint32_t;
  static constexpr unsigned pack = 1;
  static float of(const Word *words, unsigned index) { return cut_to_tf32(as<float>(words[index])); }
};

// mma.sync with A by rows and B by columns.
template <unsigned M, unsigned N, unsigned K, class D, class A, class B, class C, class WordD, class Word>
void mma(WordD *d, const Word *a, const Word *b, const Word *c, bool saturates, const char *file, int line) {
  using MapA = WarpMap<M, K, Element<A>::pack, Walk::rows_first, false>;
  using MapB = WarpMap<N, K, Element<B>::pack, Walk::columns_first, true>;
  using MapC = WarpMap<M, N, 2, Walk::rows_first, false>;
  static constexpr Owners<MapA, M, K, 32> owners_a{};
  static constexpr Owners<MapB, K, N, 32> owners_b{};
  struct Operands {
    const Word *a, *b;
  } mine{a, b};
  shown(linear_thread()) = &mine;
  meet_warp(file, line);
  for (unsigned i = 0; i < sizeof(D) * MapC::count / sizeof(WordD); ++i) d[i] = 0;
  for (unsigned i = 0; i < MapC::count; ++i) {
    Place2 at = MapC::place(lane_id(), i);
    auto left = [&](unsigned k) { return Element<A>::of(shown_by<Operands>(owners_a.of[at.row][k].lane).a, owners_a.of[at.row][k].index); };
    auto right = [&](unsigned k) { return Element<B>::of(shown_by<Operands>(owners_b.of[k][at.column].lane).b, owners_b.of[k][at.column].index); };
    auto start = Element<C>::of(c, i);
    D sum;
    if constexpr (std::is_integral_v<D>) {
      sum = saturates ? saturated_dot(K, start, left, right) : dot<D>(K, start, left, right);
    } else {
      sum = dot<D>(K, start, left, right);
    }
    d[i / Element<D>::pack] |= WordD(bit_copy<Bits<8 * int(sizeof(D))>>(sum)) << (8 * sizeof(D) * (i % Element<D>::pack)) % (8 * sizeof(WordD));
  }
  meet_warp(file, line);
}

// Lane 8 m + r holds the address of row r of matrix m.
template <unsigned matrices, bool transposed>
void ldmatrix(uint32_t *d, const char *row, const char *file, int line) {
  shown(linear_thread()) = row;
  meet_warp(file, line);
  unsigned first = linear_thread() / lanes * lanes, lane = lane_id();
  for (unsigned m = 0; m < matrices; ++m) {
    d[m] = 0;
    for (unsigned j = 0; j < 2; ++j) {
      unsigned at_row = transposed ? lane % 4 * 2 + j : lane / 4, at_column = transposed ? lane / 4 : lane % 4 * 2 + j;
      uint16_t value;
      __builtin_memcpy(&value, static_cast<const char *>(shown(first + 8 * m + at_row)) + 2 * at_column, 2);
      d[m] |= uint32_t(value) << 16 * j;
    }
  }
  meet_warp(file, line);
}

}  // namespace ptx
}  // namespace porter_sim
