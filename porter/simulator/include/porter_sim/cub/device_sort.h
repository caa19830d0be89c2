// Device-wide sorts: radix sorts of the whole and of segments, and sorts by comparison. All are stable.
#pragma once

#include "porter_sim/cub/device_call.h"
#include "porter_sim/cub/radix_order.h"

namespace PORTER_CUB {

// Input and output may be the same array.
template <class In, class Out, class Index>
void permute(In in, Out out, const std::vector<Index> &order, size_t first) {
  std::vector<std::decay_t<decltype(in[0])>> items(order.size());
  for (size_t i = 0; i < order.size(); ++i) items[i] = in[first + size_t(order[i])];
  for (size_t i = 0; i < order.size(); ++i) out[first + i] = items[i];
}

struct Digits {
  int begin, end;
  bool descending;
};

template <class Key, class ValueIn, class ValueOut>
void radix_sort(const Key *keys, Key *keys_out, ValueIn values, ValueOut values_out, size_t first, size_t last, Digits digits) {
  if (first >= last) return;
  std::vector<size_t> order(last - first);
  radix_order(keys + first, order.data(), order.size(), digits.begin, digits.end, digits.descending);
  permute(keys, keys_out, order, first);
  if constexpr (!std::is_same_v<ValueIn, NullType>) permute(values, values_out, order, first);
}

struct DeviceRadixSort {
#define PORTER_CUB_SORT(keys_name, pairs_name, descending)                                                               \
  template <class Key, class N, class Stream = void *>                                                                    \
  static PORTER_ERROR keys_name(void *temporary, size_t &bytes, const Key *in, Key *out, N n, int begin_bit = 0,          \
                                int end_bit = sizeof(Key) * 8, Stream = {}, bool = false) {                               \
    return device_call(temporary, bytes, [=] {                                                                            \
      radix_sort(in, out, NullType(), NullType(), 0, size_t(n), {begin_bit, end_bit, descending});                        \
    });                                                                                                                   \
  }                                                                                                                       \
  template <class Key, class N, class Stream = void *>                                                                    \
  static PORTER_ERROR keys_name(void *temporary, size_t &bytes, DoubleBuffer<Key> &keys, N n, int begin_bit = 0,          \
                                int end_bit = sizeof(Key) * 8, Stream = {}, bool = false) {                               \
    auto status = keys_name(temporary, bytes, (const Key *)keys.Current(), keys.Alternate(), n, begin_bit, end_bit);      \
    if (temporary && !int(status)) keys.selector ^= 1;                                                                    \
    return status;                                                                                                        \
  }                                                                                                                       \
  template <class Key, class Value, class N, class Stream = void *>                                                       \
  static PORTER_ERROR pairs_name(void *temporary, size_t &bytes, const Key *in, Key *out, const Value *values,            \
                                 Value *values_out, N n, int begin_bit = 0, int end_bit = sizeof(Key) * 8, Stream = {},   \
                                 bool = false) {                                                                          \
    return device_call(temporary, bytes, [=] {                                                                            \
      radix_sort(in, out, values, values_out, 0, size_t(n), {begin_bit, end_bit, descending});                            \
    });                                                                                                                   \
  }                                                                                                                       \
  template <class Key, class Value, class N, class Stream = void *>                                                       \
  static PORTER_ERROR pairs_name(void *temporary, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,    \
                                 N n, int begin_bit = 0, int end_bit = sizeof(Key) * 8, Stream = {}, bool = false) {      \
    auto status = pairs_name(temporary, bytes, (const Key *)keys.Current(), keys.Alternate(),                             \
                             (const Value *)values.Current(), values.Alternate(), n, begin_bit, end_bit);                 \
    if (temporary && !int(status)) keys.selector ^= 1, values.selector ^= 1;                                              \
    return status;                                                                                                        \
  }
  PORTER_CUB_SORT(SortKeys, SortPairs, false)
  PORTER_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef PORTER_CUB_SORT
};

#define PORTER_CUB_SORT(keys_name, pairs_name, descending)                                                               \
  template <class Key, class N, class Begin, class End, class... Bits>                                                    \
  static PORTER_ERROR keys_name(void *temporary, size_t &bytes, const Key *in, Key *out, N, long long segments,           \
                                Begin begin, End end, Bits... bits) {                                                     \
    Digits digits = digits_of<Key>(descending, bits...);                                                                  \
    return device_call(temporary, bytes, [=] {                                                                            \
      for (long long s = 0; s < segments; ++s) {                                                                          \
        radix_sort(in, out, NullType(), NullType(), size_t(begin[s]), size_t(end[s]), digits);                            \
      }                                                                                                                   \
    });                                                                                                                   \
  }                                                                                                                       \
  template <class Key, class N, class Begin, class End, class... Bits>                                                    \
  static PORTER_ERROR keys_name(void *temporary, size_t &bytes, DoubleBuffer<Key> &keys, N n, long long segments,         \
                                Begin begin, End end, Bits... bits) {                                                     \
    auto status =                                                                                                         \
        keys_name(temporary, bytes, (const Key *)keys.Current(), keys.Alternate(), n, segments, begin, end, bits...);     \
    if (temporary && !int(status)) keys.selector ^= 1;                                                                    \
    return status;                                                                                                        \
  }                                                                                                                       \
  template <class Key, class Value, class N, class Begin, class End, class... Bits>                                       \
  static PORTER_ERROR pairs_name(void *temporary, size_t &bytes, const Key *in, Key *out, const Value *values,            \
                                 Value *values_out, N, long long segments, Begin begin, End end, Bits... bits) {          \
    Digits digits = digits_of<Key>(descending, bits...);                                                                  \
    return device_call(temporary, bytes, [=] {                                                                            \
      for (long long s = 0; s < segments; ++s) {                                                                          \
        radix_sort(in, out, values, values_out, size_t(begin[s]), size_t(end[s]), digits);                                \
      }                                                                                                                   \
    });                                                                                                                   \
  }

// Bits and a stream may follow; a stream alone is a pointer.
template <class Key, class... Rest>
Digits digits_of(bool descending, Rest... rest) {
  Digits digits{0, int(sizeof(Key) * 8), descending};
  auto bits = std::make_tuple(rest...);
  if constexpr (sizeof...(Rest) >= 2) {
    if constexpr (std::is_integral_v<std::tuple_element_t<0, decltype(bits)>>) {
      digits.begin = int(std::get<0>(bits)), digits.end = int(std::get<1>(bits));
    }
  }
  return digits;
}

struct DeviceSegmentedRadixSort {
  PORTER_CUB_SORT(SortKeys, SortPairs, false)
  PORTER_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
};
struct DeviceSegmentedSort {
  PORTER_CUB_SORT(SortKeys, SortPairs, false)
  PORTER_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
  PORTER_CUB_SORT(StableSortKeys, StableSortPairs, false)
  PORTER_CUB_SORT(StableSortKeysDescending, StableSortPairsDescending, true)
};
#undef PORTER_CUB_SORT

struct DeviceMergeSort {
  template <class Keys, class N, class Compare, class Stream = void *>
  static PORTER_ERROR SortKeys(void *temporary, size_t &bytes, Keys keys, N n, Compare compare, Stream = {}, bool = false) {
    return SortKeysCopy(temporary, bytes, keys, keys, n, compare);
  }
  template <class Keys, class N, class Compare, class Stream = void *>
  static PORTER_ERROR StableSortKeys(void *temporary, size_t &bytes, Keys keys, N n, Compare compare, Stream = {}) {
    return SortKeysCopy(temporary, bytes, keys, keys, n, compare);
  }
  template <class In, class Out, class N, class Compare, class Stream = void *>
  static PORTER_ERROR SortKeysCopy(void *temporary, size_t &bytes, In in, Out out, N n, Compare compare, Stream = {}) {
    return device_call(temporary, bytes, [=] { permute(in, out, order_of(in, size_t(n), compare), 0); });
  }
  template <class Keys, class Values, class N, class Compare, class Stream = void *>
  static PORTER_ERROR SortPairs(void *temporary, size_t &bytes, Keys keys, Values values, N n, Compare compare, Stream = {},
                                bool = false) {
    return device_call(temporary, bytes, [=] {
      auto order = order_of(keys, size_t(n), compare);
      permute(keys, keys, order, 0);
      permute(values, values, order, 0);
    });
  }
  template <class Keys, class Values, class N, class Compare, class Stream = void *>
  static PORTER_ERROR StableSortPairs(void *temporary, size_t &bytes, Keys keys, Values values, N n, Compare compare,
                                      Stream = {}) {
    return SortPairs(temporary, bytes, keys, values, n, compare);
  }

 private:
  template <class Keys, class Compare>
  static std::vector<size_t> order_of(Keys keys, size_t n, Compare compare) {
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return compare(keys[a], keys[b]); });
    return order;
  }
};

}  // namespace PORTER_CUB
