// porter's own minimal hipCUB: block primitives through shared memory, one slot a thread.
#pragma once

#include <hipcub/porter_operators.hpp>

namespace hipcub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace porter {
PORTER_CUB int linear_thread() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
template <typename T, int Count> struct Slots { Uninitialized<T> slot[Count]; __device__ T& operator[](int i) { return slot[i].Alias(); } };
}  // namespace porter

template <typename T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = porter::Slots<T, threads>;
  PORTER_CUB explicit BlockReduce(TempStorage& s) : storage(s) {}
  template <typename Combine> PORTER_CUB T Reduce(T v, Combine combine, int valid) {
    const int rank = porter::linear_thread();
    storage[rank] = v;
    __syncthreads();
    for (int offset = 1; offset < threads; offset *= 2) {
      const bool pairs = rank % (2 * offset) == 0 && rank + offset < valid;
      if (pairs) storage[rank] = combine(storage[rank], storage[rank + offset]);
      __syncthreads();
    }
    return storage[rank];
  }
  template <typename Combine> PORTER_CUB T Reduce(T v, Combine combine) { return Reduce(v, combine, threads); }
  template <int Items, typename Combine> PORTER_CUB T Reduce(T (&v)[Items], Combine combine) {
    T own = v[0];
    for (int i = 1; i < Items; ++i) own = combine(own, v[i]);
    return Reduce(own, combine);
  }
  PORTER_CUB T Sum(T v) { return Reduce(v, hipcub::Sum()); }
  PORTER_CUB T Sum(T v, int valid) { return Reduce(v, hipcub::Sum(), valid); }
  template <int Items> PORTER_CUB T Sum(T (&v)[Items]) { return Reduce(v, hipcub::Sum()); }

 private:
  TempStorage& storage;
};

template <typename T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = porter::Slots<T, threads>;
  PORTER_CUB explicit BlockScan(TempStorage& s) : storage(s) {}
  template <typename Combine> PORTER_CUB void InclusiveScan(T v, T& out, Combine combine) {
    const int rank = porter::linear_thread();
    storage[rank] = v;
    __syncthreads();
    for (int offset = 1; offset < threads; offset *= 2) {
      const T before = rank >= offset ? storage[rank - offset] : v;
      __syncthreads();
      if (rank >= offset) storage[rank] = v = combine(before, v);
      __syncthreads();
    }
    out = v;
  }
  template <typename Combine> PORTER_CUB void InclusiveScan(T v, T& out, Combine combine, T& total) {
    InclusiveScan(v, out, combine);
    total = storage[threads - 1];
  }
  template <typename Combine> PORTER_CUB void ExclusiveScan(T v, T& out, T initial, Combine combine) {
    T unused;
    InclusiveScan(v, unused, combine);
    const int rank = porter::linear_thread();
    out = rank == 0 ? initial : combine(initial, storage[rank - 1]);
  }
  template <typename Combine> PORTER_CUB void ExclusiveScan(T v, T& out, T initial, Combine combine, T& total) {
    ExclusiveScan(v, out, initial, combine);
    total = combine(initial, storage[threads - 1]);
  }
  template <int Items, typename Combine> PORTER_CUB void InclusiveScan(T (&v)[Items], T (&out)[Items], Combine combine) {
    T sum = v[0];
    for (int i = 1; i < Items; ++i) sum = combine(sum, v[i]);
    T unused;
    InclusiveScan(sum, unused, combine);
    const int rank = porter::linear_thread();
    for (int i = 0; i < Items; ++i) out[i] = i ? combine(out[i - 1], v[i]) : rank ? combine(storage[rank - 1], v[0]) : v[0];
  }
  template <int Items, typename Combine> PORTER_CUB void ExclusiveScan(T (&v)[Items], T (&out)[Items], T initial, Combine combine, T& total) {
    T sum = v[0];
    for (int i = 1; i < Items; ++i) sum = combine(sum, v[i]);
    T prefix;
    ExclusiveScan(sum, prefix, initial, combine, total);
    for (int i = 0; i < Items; ++i) {
      const T item = v[i];
      out[i] = prefix;
      prefix = combine(prefix, item);
    }
  }
  template <int Items, typename Combine> PORTER_CUB void ExclusiveScan(T (&v)[Items], T (&out)[Items], T initial, Combine combine) { T total; ExclusiveScan(v, out, initial, combine, total); }
  PORTER_CUB void InclusiveSum(T v, T& out) { InclusiveScan(v, out, Sum()); }
  PORTER_CUB void InclusiveSum(T v, T& out, T& total) { InclusiveScan(v, out, Sum(), total); }
  PORTER_CUB void ExclusiveSum(T v, T& out) { ExclusiveScan(v, out, T(), Sum()); }
  PORTER_CUB void ExclusiveSum(T v, T& out, T& total) { ExclusiveScan(v, out, T(), Sum(), total); }
  template <int Items> PORTER_CUB void InclusiveSum(T (&v)[Items], T (&out)[Items]) { InclusiveScan(v, out, Sum()); }
  template <int Items> PORTER_CUB void ExclusiveSum(T (&v)[Items], T (&out)[Items]) { ExclusiveScan(v, out, T(), Sum()); }
  template <int Items> PORTER_CUB void ExclusiveSum(T (&v)[Items], T (&out)[Items], T& total) { ExclusiveScan(v, out, T(), Sum(), total); }

 private:
  TempStorage& storage;
};

// Blocked arrangement, or striped where the algorithm says so: the result is the same as hipCUB's.
template <typename T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
 public:
  struct TempStorage { unsigned char unused; };
  PORTER_CUB explicit BlockLoad(TempStorage&) {}
  PORTER_CUB BlockLoad() {}
  static PORTER_CUB int place(int i) {
    const int rank = porter::linear_thread();
    return Algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
  }
  template <typename In> PORTER_CUB void Load(In in, T (&v)[Items]) { for (int i = 0; i < Items; ++i) v[i] = in[place(i)]; }
  template <typename In> PORTER_CUB void Load(In in, T (&v)[Items], int valid) {
    for (int i = 0; i < Items; ++i) if (place(i) < valid) v[i] = in[place(i)];
  }
  template <typename In, typename D> PORTER_CUB void Load(In in, T (&v)[Items], int valid, D rest) {
    for (int i = 0; i < Items; ++i) v[i] = place(i) < valid ? static_cast<T>(in[place(i)]) : static_cast<T>(rest);
  }
};
template <typename T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
 public:
  struct TempStorage { unsigned char unused; };
  PORTER_CUB explicit BlockStore(TempStorage&) {}
  PORTER_CUB BlockStore() {}
  static PORTER_CUB int place(int i) {
    const int rank = porter::linear_thread();
    return Algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
  }
  template <typename Out> PORTER_CUB void Store(Out out, T (&v)[Items]) { for (int i = 0; i < Items; ++i) out[place(i)] = v[i]; }
  template <typename Out> PORTER_CUB void Store(Out out, T (&v)[Items], int valid) {
    for (int i = 0; i < Items; ++i) if (place(i) < valid) out[place(i)] = v[i];
  }
};

template <typename T, int X, int Items, bool TimeSliced = false, int Y = 1, int Z = 1, int Arch = 0> class BlockExchange {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = porter::Slots<T, threads * Items>;
  PORTER_CUB explicit BlockExchange(TempStorage& s) : storage(s) {}
  PORTER_CUB void StripedToBlocked(const T (&v)[Items], T (&out)[Items]) { move(v, out, threads, 1, 1, Items); }
  PORTER_CUB void BlockedToStriped(const T (&v)[Items], T (&out)[Items]) { move(v, out, 1, Items, threads, 1); }
  template <typename I> PORTER_CUB void ScatterToBlocked(const T (&v)[Items], T (&out)[Items], I (&ranks)[Items]) {
    for (int i = 0; i < Items; ++i) storage[static_cast<int>(ranks[i])] = v[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) out[i] = storage[porter::linear_thread() * Items + i];
  }

 private:
  PORTER_CUB void move(const T (&v)[Items], T (&out)[Items], int from_item, int from_rank, int to_item, int to_rank) {
    const int rank = porter::linear_thread();
    for (int i = 0; i < Items; ++i) storage[i * from_item + rank * from_rank] = v[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) out[i] = storage[i * to_item + rank * to_rank];
  }
  TempStorage& storage;
};

// Sorts by counting, for each key, the keys that go before it: stable, and independent of the number of bits.
template <typename K, int X, int Items, typename V = NullType, int Bits = 4, bool Memoize = true, BlockScanAlgorithm Algorithm = BLOCK_SCAN_WARP_SCANS, int Y = 1, int Z = 1, int Arch = 0>
class BlockRadixSort {
  static constexpr int count = X * Y * Z * Items;

 public:
  struct TempStorage { porter::Slots<K, count> keys; porter::Slots<V, count> values; };
  PORTER_CUB explicit BlockRadixSort(TempStorage& s) : storage(s) {}
  PORTER_CUB void Sort(K (&keys)[Items], int = 0, int = sizeof(K) * 8) { V none[Items]; sort<false>(keys, none); }
  PORTER_CUB void Sort(K (&keys)[Items], V (&values)[Items], int = 0, int = sizeof(K) * 8) { sort<false>(keys, values); }
  PORTER_CUB void SortDescending(K (&keys)[Items], int = 0, int = sizeof(K) * 8) { V none[Items]; sort<true>(keys, none); }
  PORTER_CUB void SortDescending(K (&keys)[Items], V (&values)[Items], int = 0, int = sizeof(K) * 8) { sort<true>(keys, values); }

 private:
  template <bool Descending> PORTER_CUB void sort(K (&keys)[Items], V (&values)[Items]) {
    const int first = porter::linear_thread() * Items;
    int place[Items] = {};
    for (int i = 0; i < Items; ++i) storage.keys[first + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      for (int j = 0; j < count; ++j) {
        const K other = storage.keys[j];
        const bool before = Descending ? keys[i] < other : other < keys[i];
        place[i] += before || (other == keys[i] && j < first + i);
      }
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) storage.keys[place[i]] = keys[i], storage.values[place[i]] = values[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) keys[i] = storage.keys[first + i], values[i] = storage.values[first + i];
  }
  TempStorage& storage;
};

template <typename T, int X, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int Arch = 0>
class BlockHistogram {
 public:
  struct TempStorage { unsigned char unused; };
  PORTER_CUB explicit BlockHistogram(TempStorage&) {}
  template <typename C> PORTER_CUB void InitHistogram(C (&bins)[Bins]) { for (int i = porter::linear_thread(); i < Bins; i += X * Y * Z) bins[i] = 0; }
  template <typename C> PORTER_CUB void Composite(T (&v)[Items], C (&bins)[Bins]) { for (int i = 0; i < Items; ++i) atomicAdd(&bins[static_cast<int>(v[i])], C(1)); }
  template <typename C> PORTER_CUB void Histogram(T (&v)[Items], C (&bins)[Bins]) {
    InitHistogram(bins);
    __syncthreads();
    Composite(v, bins);
  }
};

template <typename T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockDiscontinuity {
 public:
  using TempStorage = porter::Slots<T, X * Y * Z>;
  PORTER_CUB explicit BlockDiscontinuity(TempStorage& s) : storage(s) {}
  template <int Items, typename F, typename Differ> PORTER_CUB void FlagHeads(F (&flags)[Items], T (&v)[Items], Differ differ) {
    const int rank = porter::linear_thread();
    storage[rank] = v[Items - 1];
    __syncthreads();
    for (int i = 0; i < Items; ++i) flags[i] = i ? differ(v[i - 1], v[i]) : rank ? differ(storage[rank - 1], v[0]) : 1;
  }

 private:
  TempStorage& storage;
};
}  // namespace hipcub
