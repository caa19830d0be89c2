// porter's own minimal hipCUB: warp reductions and scans by shuffles; the logical warp is the wavefront by default.
#pragma once

#include <hipcub/porter_operators.hpp>

namespace hipcub {
namespace porter {
// Moves any trivially copyable value as 32-bit words.
template <typename T, typename Move> PORTER_CUB T through_words(T value, Move move) {
  constexpr unsigned count = (sizeof(T) + 3u) / 4u;
  unsigned words[count] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < count; ++i) words[i] = move(words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
}  // namespace porter

template <int LogicalWarp, typename T> PORTER_CUB T ShuffleDown(T v, int offset, int, unsigned long long) {
  return porter::through_words(v, [=](unsigned w) { return __shfl_down(w, static_cast<unsigned>(offset), LogicalWarp); });
}
template <int LogicalWarp, typename T> PORTER_CUB T ShuffleUp(T v, int offset, int, unsigned long long) {
  return porter::through_words(v, [=](unsigned w) { return __shfl_up(w, static_cast<unsigned>(offset), LogicalWarp); });
}
template <int LogicalWarp, typename T> PORTER_CUB T ShuffleIndex(T v, int lane, unsigned long long) {
  return porter::through_words(v, [=](unsigned w) { return __shfl(w, lane, LogicalWarp); });
}

template <typename T, int LogicalWarp = 64, int Arch = 0> class WarpReduce {
 public:
  struct TempStorage { unsigned char unused; };
  PORTER_CUB explicit WarpReduce(TempStorage&) {}
  template <typename Combine> PORTER_CUB T Reduce(T v, Combine combine) { return Reduce(v, combine, LogicalWarp); }
  template <typename Combine> PORTER_CUB T Reduce(T v, Combine combine, int valid) {
    const int lane = static_cast<int>(__lane_id()) & (LogicalWarp - 1);
    for (int offset = 1; offset < LogicalWarp; offset *= 2) {
      const T other = ShuffleDown<LogicalWarp>(v, offset, 0, 0);
      if (lane + offset < valid) v = combine(v, other);
    }
    return v;
  }
  PORTER_CUB T Sum(T v) { return Reduce(v, hipcub::Sum()); }
  PORTER_CUB T Sum(T v, int valid) { return Reduce(v, hipcub::Sum(), valid); }
};

template <typename T, int LogicalWarp = 64, int Arch = 0> class WarpScan {
 public:
  struct TempStorage { unsigned char unused; };
  PORTER_CUB explicit WarpScan(TempStorage&) {}
  template <typename Combine> PORTER_CUB void InclusiveScan(T v, T& out, Combine combine) {
    const int lane = static_cast<int>(__lane_id()) & (LogicalWarp - 1);
    for (int offset = 1; offset < LogicalWarp; offset *= 2) {
      const T other = ShuffleUp<LogicalWarp>(v, offset, 0, 0);
      if (lane >= offset) v = combine(other, v);
    }
    out = v;
  }
  template <typename Combine> PORTER_CUB void InclusiveScan(T v, T& out, Combine combine, T& total) {
    InclusiveScan(v, out, combine);
    total = ShuffleIndex<LogicalWarp>(out, LogicalWarp - 1, 0);
  }
  template <typename Combine> PORTER_CUB void ExclusiveScan(T v, T& out, T initial, Combine combine) {
    T inclusive;
    InclusiveScan(v, inclusive, combine);
    const T before = ShuffleUp<LogicalWarp>(inclusive, 1, 0, 0);
    out = (static_cast<int>(__lane_id()) & (LogicalWarp - 1)) == 0 ? initial : combine(initial, before);
  }
  PORTER_CUB void InclusiveSum(T v, T& out) { InclusiveScan(v, out, hipcub::Sum()); }
  PORTER_CUB void InclusiveSum(T v, T& out, T& total) { InclusiveScan(v, out, hipcub::Sum(), total); }
  PORTER_CUB void ExclusiveSum(T v, T& out) { ExclusiveScan(v, out, T(), hipcub::Sum()); }
  PORTER_CUB void ExclusiveSum(T v, T& out, T& total) {
    ExclusiveSum(v, out);
    total = ShuffleIndex<LogicalWarp>(out + v, LogicalWarp - 1, 0);
  }
  PORTER_CUB T Broadcast(T v, unsigned lane) { return ShuffleIndex<LogicalWarp>(v, static_cast<int>(lane), 0); }
};
}  // namespace hipcub
