// Reductions, scans and sorts over a warp or an equal part of one, by shuffles.
#pragma once

#include "porter_sim/cub/common.h"

namespace PORTER_CUB {

// The lanes of one logical warp: `Width` neighbours, fewer at the end of a block.
template <int Width>
struct LogicalWarp {
  static_assert(Width >= 1 && Width <= ::porter_sim::lanes, "a logical warp is at most a warp");
  unsigned warp_lane = ::porter_sim::lane_id();
  unsigned first = warp_lane / Width * Width;
  int lane = int(warp_lane - first);
  int count = count_of(first);
  ::porter_sim::lane_mask mask = (count == 64 ? ~0ull : (1ull << count) - 1) << first;

  static int count_of(unsigned first) {
    unsigned base = ::porter_sim::linear_thread() / ::porter_sim::lanes * ::porter_sim::lanes + first;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned whole = std::min(unsigned(Width), unsigned(::porter_sim::lanes) - first);
    return int(std::min(whole, threads - base));
  }
  // What the logical warp's lane `from` has; one's own value where there is no such lane.
  template <class T>
  T get(T value, int from) const {
    int source = from >= 0 && from < count ? int(first) + from : int(warp_lane);
    return ::porter_sim::shuffle(::porter_sim::Op::shuffle_index, ::porter_sim::Mask::named, mask, value, source,
                                 ::porter_sim::lanes, __FILE__, __LINE__);
  }
  // Lane i's result is the reduction of lanes 0 to i.
  template <class T, class Op>
  T scan(T value, Op op) const {
    for (int distance = 1; distance < Width; distance *= 2) {
      T before = get(value, lane - distance);
      if (lane >= distance) value = op(before, value);
    }
    return value;
  }
  // Lane 0's result is the reduction of lanes 0 to `valid` - 1.
  template <class T, class Op>
  T reduce(T value, Op op, int valid) const {
    for (int distance = 1; distance < Width; distance *= 2) {
      T after = get(value, lane + distance);
      if (lane + distance < std::min(valid, count)) value = op(value, after);
    }
    return value;
  }
};

template <class T, int Width = ::porter_sim::lanes, int = 0>
class WarpReduce {
  using Add = PORTER_CUB::Sum;

  // Of the lanes up to `stop`.
  template <class Op>
  static T up_to(const LogicalWarp<Width> &warp, T value, Op op, int stop) {
    for (int distance = 1; distance < Width; distance *= 2) {
      T after = warp.get(value, warp.lane + distance);
      if (warp.lane + distance < stop) value = op(value, after);
    }
    return value;
  }
  // The first lane from `lane` on that has its flag set; the end if there is none.
  static int next_flag(const LogicalWarp<Width> &warp, bool flag, int lane) {
    int found = warp.count;
    for (int other = warp.count - 1; other >= 0; --other) {
      if (warp.get(int(flag), other) && other >= lane) found = other;
    }
    return found;
  }

 public:
  using TempStorage = Uninitialized<Empty>;
  WarpReduce(TempStorage &) {}

  template <class Op>
  T Reduce(T input, Op op) {
    return LogicalWarp<Width>().reduce(input, op, Width);
  }
  template <class Op>
  T Reduce(T input, Op op, int valid) {
    return LogicalWarp<Width>().reduce(input, op, valid);
  }
  T Sum(T input) { return Reduce(input, Add()); }
  T Sum(T input, int valid) { return Reduce(input, Add(), valid); }

  // Each segment's first lane gets its segment's result.
  template <class Op, class Flag>
  T HeadSegmentedReduce(T input, Flag head, Op op) {
    LogicalWarp<Width> warp;
    return up_to(warp, input, op, next_flag(warp, bool(head), warp.lane + 1));
  }
  template <class Op, class Flag>
  T TailSegmentedReduce(T input, Flag tail, Op op) {
    LogicalWarp<Width> warp;
    return up_to(warp, input, op, std::min(next_flag(warp, bool(tail), warp.lane) + 1, warp.count));
  }
  template <class Flag>
  T HeadSegmentedSum(T input, Flag head) {
    return HeadSegmentedReduce(input, head, Add());
  }
  template <class Flag>
  T TailSegmentedSum(T input, Flag tail) {
    return TailSegmentedReduce(input, tail, Add());
  }
};

template <class T, int Width = ::porter_sim::lanes, int = 0>
class WarpScan {
  using Add = PORTER_CUB::Sum;

 public:
  using TempStorage = Uninitialized<Empty>;
  WarpScan(TempStorage &) {}

  template <class Op>
  void InclusiveScan(T input, T &output, Op op) {
    output = LogicalWarp<Width>().scan(input, op);
  }
  template <class Op>
  void InclusiveScan(T input, T &output, Op op, T &aggregate) {
    LogicalWarp<Width> warp;
    output = warp.scan(input, op);
    aggregate = warp.get(output, warp.count - 1);
  }
  // Without an initial value, lane 0's result is undefined.
  template <class Op>
  void ExclusiveScan(T input, T &output, Op op) {
    T inclusive;
    Scan(input, inclusive, output, op);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, Op op, T &aggregate) {
    LogicalWarp<Width> warp;
    T inclusive = warp.scan(input, op);
    aggregate = warp.get(inclusive, warp.count - 1);
    output = warp.get(inclusive, warp.lane - 1);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op) {
    T inclusive;
    Scan(input, inclusive, output, initial, op);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate) {
    LogicalWarp<Width> warp;
    T inclusive = warp.scan(input, op), before = warp.get(inclusive, warp.lane - 1);
    aggregate = warp.get(inclusive, warp.count - 1);
    output = warp.lane ? op(initial, before) : initial;
  }
  template <class Op>
  void Scan(T input, T &inclusive, T &exclusive, Op op) {
    LogicalWarp<Width> warp;
    T result = warp.scan(input, op);
    exclusive = warp.get(result, warp.lane - 1);
    inclusive = result;
  }
  template <class Op>
  void Scan(T input, T &inclusive, T &exclusive, T initial, Op op) {
    LogicalWarp<Width> warp;
    T result = warp.scan(input, op), before = warp.get(result, warp.lane - 1);
    exclusive = warp.lane ? op(initial, before) : initial;
    inclusive = op(initial, result);
  }
  void InclusiveSum(T input, T &output) { InclusiveScan(input, output, Add()); }
  void InclusiveSum(T input, T &output, T &aggregate) { InclusiveScan(input, output, Add(), aggregate); }
  void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(), Add()); }
  void ExclusiveSum(T input, T &output, T &aggregate) { ExclusiveScan(input, output, T(), Add(), aggregate); }
  void Sum(T input, T &inclusive, T &exclusive) { Scan(input, inclusive, exclusive, T(), Add()); }
  T Broadcast(T input, unsigned from) { return LogicalWarp<Width>().get(input, int(from)); }
};

template <class Key, int N, int Width = ::porter_sim::lanes, class Value = NullType>
class WarpMergeSort {
  // Where each of the lane's items goes: the number of items that come before it.
  template <class Compare>
  void ranks(const LogicalWarp<Width> &warp, const Key (&keys)[N], Compare compare, int (&rank)[N]) {
    for (int i = 0; i < N; ++i) rank[i] = 0;
    for (int lane = 0; lane < warp.count; ++lane) {
      for (int k = 0; k < N; ++k) {
        Key other = warp.get(keys[k], lane);
        for (int i = 0; i < N; ++i) {
          bool earlier = lane * N + k < warp.lane * N + i;
          rank[i] += earlier ? !compare(keys[i], other) : compare(other, keys[i]);
        }
      }
    }
  }
  template <class T>
  void place(const LogicalWarp<Width> &warp, T (&items)[N], const int (&rank)[N]) {
    T sorted[N];
    for (int lane = 0; lane < warp.count; ++lane) {
      for (int k = 0; k < N; ++k) {
        T other = warp.get(items[k], lane);
        int at = warp.get(rank[k], lane) - warp.lane * N;
        if (at >= 0 && at < N) sorted[at] = other;
      }
    }
    for (int i = 0; i < N; ++i) items[i] = sorted[i];
  }

 public:
  using TempStorage = Uninitialized<Empty>;
  WarpMergeSort(TempStorage &) {}
  template <class Compare>
  void Sort(Key (&keys)[N], Compare compare) {
    LogicalWarp<Width> warp;
    int rank[N];
    ranks(warp, keys, compare, rank);
    place(warp, keys, rank);
  }
  template <class V, class Compare>
  void Sort(Key (&keys)[N], V (&values)[N], Compare compare) {
    LogicalWarp<Width> warp;
    int rank[N];
    ranks(warp, keys, compare, rank);
    place(warp, keys, rank);
    place(warp, values, rank);
  }
  template <class Compare>
  void StableSort(Key (&keys)[N], Compare compare) {
    Sort(keys, compare);
  }
};

}  // namespace PORTER_CUB
