// porter's own minimal hipCUB: declarations of the device-wide functions, for host code to be parsed.
#pragma once

#include <hipcub/porter_operators.hpp>

#define PORTER_CUB_DEVICE static hipError_t
#define PORTER_CUB_TEMP void *temporary, size_t &bytes

namespace hipcub {
struct DeviceReduce {
  template <typename I, typename O, typename Op, typename T> PORTER_CUB_DEVICE Reduce(PORTER_CUB_TEMP, I, O, int, Op, T, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE Sum(PORTER_CUB_TEMP, I, O, int, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE Min(PORTER_CUB_TEMP, I, O, int, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE Max(PORTER_CUB_TEMP, I, O, int, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE ArgMin(PORTER_CUB_TEMP, I, O, int, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE ArgMax(PORTER_CUB_TEMP, I, O, int, hipStream_t = 0, bool = false);
  template <typename K, typename U, typename V, typename A, typename N, typename Op> PORTER_CUB_DEVICE ReduceByKey(PORTER_CUB_TEMP, K, U, V, A, N, Op, int, hipStream_t = 0, bool = false);
};
struct DeviceScan {
  template <typename I, typename O> PORTER_CUB_DEVICE InclusiveSum(PORTER_CUB_TEMP, I, O, size_t, hipStream_t = 0, bool = false);
  template <typename I, typename O> PORTER_CUB_DEVICE ExclusiveSum(PORTER_CUB_TEMP, I, O, size_t, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename Op> PORTER_CUB_DEVICE InclusiveScan(PORTER_CUB_TEMP, I, O, Op, size_t, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename Op, typename T> PORTER_CUB_DEVICE ExclusiveScan(PORTER_CUB_TEMP, I, O, Op, T, size_t, hipStream_t = 0, bool = false);
  template <typename K, typename I, typename O> PORTER_CUB_DEVICE InclusiveSumByKey(PORTER_CUB_TEMP, K, I, O, size_t, Equality = Equality(), hipStream_t = 0, bool = false);
  template <typename K, typename I, typename O> PORTER_CUB_DEVICE ExclusiveSumByKey(PORTER_CUB_TEMP, K, I, O, size_t, Equality = Equality(), hipStream_t = 0, bool = false);
};
struct DeviceRadixSort {
  template <typename K, typename V> PORTER_CUB_DEVICE SortPairs(PORTER_CUB_TEMP, const K*, K*, const V*, V*, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K, typename V> PORTER_CUB_DEVICE SortPairs(PORTER_CUB_TEMP, DoubleBuffer<K>&, DoubleBuffer<V>&, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K, typename V> PORTER_CUB_DEVICE SortPairsDescending(PORTER_CUB_TEMP, const K*, K*, const V*, V*, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K, typename V> PORTER_CUB_DEVICE SortPairsDescending(PORTER_CUB_TEMP, DoubleBuffer<K>&, DoubleBuffer<V>&, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K> PORTER_CUB_DEVICE SortKeys(PORTER_CUB_TEMP, const K*, K*, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K> PORTER_CUB_DEVICE SortKeys(PORTER_CUB_TEMP, DoubleBuffer<K>&, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K> PORTER_CUB_DEVICE SortKeysDescending(PORTER_CUB_TEMP, const K*, K*, int, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
};
struct DeviceMergeSort {
  template <typename K, typename Op> PORTER_CUB_DEVICE SortKeys(PORTER_CUB_TEMP, K, int, Op, hipStream_t = 0, bool = false);
  template <typename K, typename V, typename Op> PORTER_CUB_DEVICE SortPairs(PORTER_CUB_TEMP, K, V, int, Op, hipStream_t = 0, bool = false);
};
struct DeviceSelect {
  template <typename I, typename F, typename O, typename N> PORTER_CUB_DEVICE Flagged(PORTER_CUB_TEMP, I, F, O, N, int, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename N, typename Op> PORTER_CUB_DEVICE If(PORTER_CUB_TEMP, I, O, N, int, Op, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename N> PORTER_CUB_DEVICE Unique(PORTER_CUB_TEMP, I, O, N, int, hipStream_t = 0, bool = false);
};
struct DevicePartition {
  template <typename I, typename F, typename O, typename N> PORTER_CUB_DEVICE Flagged(PORTER_CUB_TEMP, I, F, O, N, int, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename N, typename Op> PORTER_CUB_DEVICE If(PORTER_CUB_TEMP, I, O, N, int, Op, hipStream_t = 0, bool = false);
};
struct DeviceRunLengthEncode {
  template <typename I, typename U, typename C, typename N> PORTER_CUB_DEVICE Encode(PORTER_CUB_TEMP, I, U, C, N, int, hipStream_t = 0, bool = false);
};
struct DeviceHistogram {
  template <typename I, typename C, typename L, typename N> PORTER_CUB_DEVICE HistogramEven(PORTER_CUB_TEMP, I, C*, int, L, L, N, hipStream_t = 0, bool = false);
};
struct DeviceSegmentedReduce {
  template <typename I, typename O, typename B, typename E> PORTER_CUB_DEVICE Sum(PORTER_CUB_TEMP, I, O, int, B, E, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename B, typename E> PORTER_CUB_DEVICE Max(PORTER_CUB_TEMP, I, O, int, B, E, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename B, typename E> PORTER_CUB_DEVICE Min(PORTER_CUB_TEMP, I, O, int, B, E, hipStream_t = 0, bool = false);
  template <typename I, typename O, typename B, typename E, typename Op, typename T> PORTER_CUB_DEVICE Reduce(PORTER_CUB_TEMP, I, O, int, B, E, Op, T, hipStream_t = 0, bool = false);
};
struct DeviceSegmentedRadixSort {
  template <typename K, typename V, typename O> PORTER_CUB_DEVICE SortPairs(PORTER_CUB_TEMP, const K*, K*, const V*, V*, int, int, O, O, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
  template <typename K, typename O> PORTER_CUB_DEVICE SortKeys(PORTER_CUB_TEMP, const K*, K*, int, int, O, O, int = 0, int = sizeof(K) * 8, hipStream_t = 0, bool = false);
};
struct CachingDeviceAllocator {
  CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
  CachingDeviceAllocator(unsigned growth, unsigned smallest = 1, unsigned largest = ~0u, size_t most = ~size_t(0), bool skip_cleanup = false, bool debug = false);
  hipError_t DeviceAllocate(void** p, size_t bytes, hipStream_t stream = 0);
  hipError_t DeviceFree(void* p);
  hipError_t FreeAllCached();
};
}  // namespace hipcub
