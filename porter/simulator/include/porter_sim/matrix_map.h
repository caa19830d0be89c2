// Which element of a matrix each lane holds, for the warp-wide matrix operations.
//
// With 32 lanes: the layouts that the PTX ISA documents for mma.sync ("Matrix fragments"): 8 rows by 4 registers,
// `pack` neighbouring elements a register. WMMA's own layout is unspecified; this is what an H200 was seen to do. With 64 lanes: the layouts of the MFMA instructions (AMD matrix instruction calculator).
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/waiting.h"

namespace porter_sim {

struct Place2 {
  unsigned row, column;
};
struct Owner {
  unsigned char lane, index;
};

// The order of a lane's registers: pairs of registers down the rows, or all of a row first.
enum class Walk { rows_first, columns_first };

// `rows` by `columns` elements where lanes go down the rows; `Transposed` maps the matrix's own rows to columns.
template <unsigned Rows, unsigned Columns, unsigned Pack, Walk walk, bool Transposed>
struct WarpMap {
  static constexpr unsigned count = Rows * Columns / 32;
  static_assert(Rows % 8 == 0 && Columns % (4 * Pack) == 0, "this shape has no documented layout");
  static constexpr Place2 place(unsigned lane, unsigned index) {
    unsigned block = index / Pack, across = Columns / (4 * Pack), down = Rows / 8;
    unsigned pair = down < 2 ? down : 2;
    unsigned i = walk == Walk::rows_first ? block % pair + block / (pair * across) * pair : block / across;
    unsigned j = walk == Walk::rows_first ? block / pair % across : block % across;
    unsigned row = lane / 4 + 8 * i, column = lane % 4 * Pack + index % Pack + 4 * Pack * j;
    return Transposed ? Place2{column, row} : Place2{row, column};
  }
};

// Lanes go along `Rows`, groups of lanes along `Columns` in runs of `Run`.
template <unsigned Rows, unsigned Columns, unsigned Run, bool Transposed>
struct WavefrontMap {
  static constexpr unsigned count = Rows * Columns / 64;
  static_assert(64 % Rows == 0 && count > 0, "this shape has no documented layout");
  static constexpr unsigned run = Run < count ? Run : count;
  static constexpr Place2 place(unsigned lane, unsigned index) {
    unsigned groups = 64 / Rows;
    unsigned row = lane % Rows, column = lane / Rows * run + index % run + index / run * run * groups;
    return Transposed ? Place2{column, row} : Place2{row, column};
  }
};

template <class Map, unsigned Rows, unsigned Columns, unsigned Lanes>
struct Owners {
  Owner of[Rows][Columns];
  constexpr Owners() : of{} {
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      for (unsigned index = 0; index < Map::count; ++index) {
        Place2 at = Map::place(lane, index);
        of[at.row][at.column] = {(unsigned char)lane, (unsigned char)index};
      }
    }
  }
};

inline void meet_warp(const char *file, int line) { vote(Op::synchronise, Mask::named, all_lanes, 0, file, line); }

// The sum of products, from the accumulator on, in the order of k. In float formats products and sums are formed in
// double and rounded once at the end: the hardware's order is not documented, and this one has the smallest error.
template <class Sum, class Left, class Right, class Start>
Sum dot(unsigned depth, Start start, Left left, Right right) {
  if constexpr (std::is_same_v<Sum, int>) {
    unsigned total = unsigned(start);
    for (unsigned k = 0; k < depth; ++k) total += unsigned(int(left(k)) * int(right(k)));
    return int(total);
  } else {
    double total = double(start);
    for (unsigned k = 0; k < depth; ++k) total = std::fma(double(left(k)), double(right(k)), total);
    return Sum(total);
  }
}
template <class Left, class Right>
int saturated_dot(unsigned depth, int start, Left left, Right right) {
  long long total = start;
  for (unsigned k = 0; k < depth; ++k) total += (long long)(int(left(k))) * int(right(k));
  return int(std::clamp<long long>(total, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

// What the other lanes show of a fragment: `Held` is an array of elements.
template <class Held>
const Held &shown_by(unsigned lane) {
  unsigned first = linear_thread() / lanes * lanes;
  return *static_cast<const Held *>(shown(first + lane));
}

}  // namespace porter_sim
