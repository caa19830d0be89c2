// Sorting and counting a block's items: one thread finds the order, every thread takes its items.
#pragma once

#include "porter_sim/cub/radix_order.h"

namespace PORTER_CUB {

template <class Key, class Value, int Count>
struct SortStorage {
  Key keys[Count];
  Value values[Count];
  int order[Count];
};
template <class Key, int Count>
struct SortStorage<Key, NullType, Count> {
  Key keys[Count];
  int order[Count];
};

// `find_order(keys, order)` runs in one thread.
template <class Key, int Threads, int N, class Value>
class BlockSort : protected Collective<SortStorage<Key, Value, Threads * N>> {
  using Base = Collective<SortStorage<Key, Value, Threads * N>>;

 protected:
  static constexpr int count = Threads * N;
  static constexpr bool keys_only = std::is_same_v<Value, NullType>;
  BlockSort() = default;
  explicit BlockSort(typename Base::TempStorage &storage) : Base(storage) {}

  template <class FindOrder>
  void sort(int thread, Key (&keys)[N], Value *values, bool striped, FindOrder find_order) {
    auto &s = this->storage_;
    for (int i = 0; i < N; ++i) {
      s.keys[thread * N + i] = keys[i];
      if constexpr (!keys_only) s.values[thread * N + i] = values[i];
    }
    __syncthreads();
    if (thread == 0) find_order(s.keys, s.order);
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      int from = s.order[striped ? thread + i * Threads : thread * N + i];
      keys[i] = s.keys[from];
      if constexpr (!keys_only) values[i] = s.values[from];
    }
  }
};

template <class Key, int X, int N, class Value = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort : BlockSort<Key, X * Y * Z, N, Value> {
  using Base = BlockSort<Key, X * Y * Z, N, Value>;
  using Shape = BlockShape<X, Y, Z>;
  static constexpr int bits = int(sizeof(Key) * 8);

  void run(Key (&keys)[N], Value *values, int begin_bit, int end_bit, bool descending, bool striped) {
    this->sort(Shape::thread(), keys, values, striped, [&](const Key *all, int *order) {
      radix_order(all, order, size_t(Base::count), begin_bit, end_bit, descending);
    });
  }

 public:
  using typename Base::TempStorage;
  BlockRadixSort() = default;
  BlockRadixSort(TempStorage &storage) : Base(storage) {}

#define PORTER_CUB_SORT(name, descending, striped)                                          \
  void name(Key (&keys)[N], int begin_bit = 0, int end_bit = bits) {                        \
    run(keys, nullptr, begin_bit, end_bit, descending, striped);                            \
  }                                                                                         \
  template <class V>                                                                        \
  void name(Key (&keys)[N], V (&values)[N], int begin_bit = 0, int end_bit = bits) {        \
    run(keys, values, begin_bit, end_bit, descending, striped);                             \
  }
  PORTER_CUB_SORT(Sort, false, false)
  PORTER_CUB_SORT(SortDescending, true, false)
  PORTER_CUB_SORT(SortBlockedToStriped, false, true)
  PORTER_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef PORTER_CUB_SORT
};

template <class Key, int X, int N, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : BlockSort<Key, X * Y * Z, N, Value> {
  using Base = BlockSort<Key, X * Y * Z, N, Value>;
  using Shape = BlockShape<X, Y, Z>;

  // Items from `valid` on keep their places at the end.
  template <class Compare>
  void run(Key (&keys)[N], Value *values, Compare compare, int valid) {
    this->sort(Shape::thread(), keys, values, false, [&](const Key *all, int *order) {
      for (int i = 0; i < Base::count; ++i) order[i] = i;
      std::stable_sort(order, order + valid, [&](int a, int b) { return compare(all[a], all[b]); });
    });
  }

 public:
  using typename Base::TempStorage;
  BlockMergeSort() = default;
  BlockMergeSort(TempStorage &storage) : Base(storage) {}

#define PORTER_CUB_SORT(name)                                                                  \
  template <class Compare>                                                                     \
  void name(Key (&keys)[N], Compare compare) {                                                 \
    run(keys, nullptr, compare, Base::count);                                                  \
  }                                                                                            \
  template <class Compare>                                                                     \
  void name(Key (&keys)[N], Compare compare, int valid, Key default_key) {                     \
    for (int i = 0; i < N; ++i) {                                                              \
      if (Shape::thread() * N + i >= valid) keys[i] = default_key;                             \
    }                                                                                          \
    run(keys, nullptr, compare, valid);                                                        \
  }                                                                                            \
  template <class V, class Compare>                                                            \
  void name(Key (&keys)[N], V (&values)[N], Compare compare) {                                 \
    run(keys, values, compare, Base::count);                                                   \
  }
  PORTER_CUB_SORT(Sort)
  PORTER_CUB_SORT(StableSort)
#undef PORTER_CUB_SORT
};

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
class BlockHistogram : Collective<Empty> {
  using Shape = BlockShape<X, Y, Z>;

 public:
  using Collective<Empty>::TempStorage;
  BlockHistogram() = default;
  BlockHistogram(TempStorage &storage) : Collective<Empty>(storage) {}

  template <class Counter>
  void InitHistogram(Counter (&histogram)[Bins]) {
    for (int bin = Shape::thread(); bin < Bins; bin += Shape::threads) histogram[bin] = 0;
  }
  // Adds to a histogram.
  template <class Counter>
  void Composite(T (&items)[N], Counter (&histogram)[Bins]) {
    for (int i = 0; i < N; ++i) atomicAdd(&histogram[items[i]], Counter(1));
  }
  template <class Counter>
  void Histogram(T (&items)[N], Counter (&histogram)[Bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

}  // namespace PORTER_CUB
