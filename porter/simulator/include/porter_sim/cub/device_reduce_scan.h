// Device-wide reductions and scans, of the whole, by key and by segment.
#pragma once

#include "porter_sim/cub/device_call.h"

namespace PORTER_CUB {

template <class In, class T, class Op>
auto reduce_range(In in, size_t begin, size_t end, T initial, Op op) {
  using Accumulator = std::decay_t<decltype(op(initial, in[0]))>;
  Accumulator result = initial;
  for (size_t i = begin; i < end; ++i) result = op(result, in[i]);
  return result;
}

// The first of the best values; of none, key 1 and the worst value.
template <bool Smallest, class In>
auto best_in_range(In in, size_t begin, size_t end) {
  using T = ValueOf<In>;
  using Pair = KeyValuePair<int, T>;
  T worst = Smallest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  if (begin >= end) return Pair(1, worst);
  Pair best(0, in[begin]);
  for (size_t i = begin + 1; i < end; ++i) {
    T value = in[i];
    if (Smallest ? value < best.value : value > best.value) best = Pair(int(i - begin), value);
  }
  return best;
}

template <class T>
T lowest() {
  return std::numeric_limits<T>::lowest();
}

struct DeviceReduce {
  template <class In, class Out, class N, class Op, class T, class Stream = void *>
  static PORTER_ERROR Reduce(void *temporary, size_t &bytes, In in, Out out, N n, Op op, T initial, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] { *out = reduce_range(in, 0, size_t(n), initial, op); });
  }
  template <class In, class Out, class N, class Stream = void *>
  static PORTER_ERROR Sum(void *temporary, size_t &bytes, In in, Out out, N n, Stream = {}, bool = false) {
    return Reduce(temporary, bytes, in, out, n, PORTER_CUB::Sum(), OutputOf<Out, ValueOf<In>>{});
  }
  template <class In, class Out, class N, class Stream = void *>
  static PORTER_ERROR Min(void *temporary, size_t &bytes, In in, Out out, N n, Stream = {}, bool = false) {
    return Reduce(temporary, bytes, in, out, n, PORTER_CUB::Min(), std::numeric_limits<ValueOf<In>>::max());
  }
  template <class In, class Out, class N, class Stream = void *>
  static PORTER_ERROR Max(void *temporary, size_t &bytes, In in, Out out, N n, Stream = {}, bool = false) {
    return Reduce(temporary, bytes, in, out, n, PORTER_CUB::Max(), lowest<ValueOf<In>>());
  }
  template <class In, class Out, class Stream = void *>
  static PORTER_ERROR ArgMin(void *temporary, size_t &bytes, In in, Out out, int n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] { *out = best_in_range<true>(in, 0, size_t(n)); });
  }
  template <class In, class Out, class Stream = void *>
  static PORTER_ERROR ArgMax(void *temporary, size_t &bytes, In in, Out out, int n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] { *out = best_in_range<false>(in, 0, size_t(n)); });
  }
  template <class In, class Out, class Index, class Stream = void *>
  static PORTER_ERROR ArgMin(void *temporary, size_t &bytes, In in, Out value, Index *index, long long n, Stream = {}) {
    return device_call(temporary, bytes, [=] {
      auto best = best_in_range<true>(in, 0, size_t(n));
      *value = best.value, *index = Index(best.key);
    });
  }
  template <class In, class Out, class Index, class Stream = void *>
  static PORTER_ERROR ArgMax(void *temporary, size_t &bytes, In in, Out value, Index *index, long long n, Stream = {}) {
    return device_call(temporary, bytes, [=] {
      auto best = best_in_range<false>(in, 0, size_t(n));
      *value = best.value, *index = Index(best.key);
    });
  }
  template <class In, class Out, class N, class Op, class Transform, class T, class Stream = void *>
  static PORTER_ERROR TransformReduce(void *temporary, size_t &bytes, In in, Out out, N n, Op op, Transform transform, T initial,
                                      Stream = {}) {
    return device_call(temporary, bytes, [=] {
      auto result = initial;
      for (size_t i = 0; i < size_t(n); ++i) result = op(result, transform(in[i]));
      *out = result;
    });
  }
  template <class Keys, class Unique, class Values, class Aggregates, class Count, class Op, class N, class Stream = void *>
  static PORTER_ERROR ReduceByKey(void *temporary, size_t &bytes, Keys keys, Unique unique, Values values,
                                  Aggregates aggregates, Count runs, Op op, N n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] {
      size_t run = 0;
      for (size_t i = 0; i < size_t(n); ++run) {
        size_t first = i;
        OutputOf<Aggregates, ValueOf<Values>> sum = values[i];
        while (++i < size_t(n) && keys[i] == keys[first]) sum = op(sum, values[i]);
        unique[run] = keys[first], aggregates[run] = sum;
      }
      *runs = ValueOf<Count>(run);
    });
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T, class Stream = void *>
  static PORTER_ERROR Reduce(void *temporary, size_t &bytes, In in, Out out, long long segments, Begin begin, End end, Op op,
                             T initial, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] {
      for (long long s = 0; s < segments; ++s) out[s] = reduce_range(in, size_t(begin[s]), size_t(end[s]), initial, op);
    });
  }
#define PORTER_CUB_SEGMENTED(name, op, initial)                                                                        \
  template <class In, class Out, class Begin, class End, class Stream = void *>                                         \
  static PORTER_ERROR name(void *temporary, size_t &bytes, In in, Out out, long long segments, Begin begin, End end,    \
                           Stream = {}, bool = false) {                                                                 \
    return Reduce(temporary, bytes, in, out, segments, begin, end, op, initial);                                        \
  }
  PORTER_CUB_SEGMENTED(Sum, PORTER_CUB::Sum(), (OutputOf<Out, ValueOf<In>>{}))
  PORTER_CUB_SEGMENTED(Min, PORTER_CUB::Min(), std::numeric_limits<ValueOf<In>>::max())
  PORTER_CUB_SEGMENTED(Max, PORTER_CUB::Max(), lowest<ValueOf<In>>())
#undef PORTER_CUB_SEGMENTED
#define PORTER_CUB_SEGMENTED(name, smallest)                                                                           \
  template <class In, class Out, class Begin, class End, class Stream = void *>                                         \
  static PORTER_ERROR name(void *temporary, size_t &bytes, In in, Out out, long long segments, Begin begin, End end,    \
                           Stream = {}, bool = false) {                                                                 \
    return device_call(temporary, bytes, [=] {                                                                          \
      for (long long s = 0; s < segments; ++s) out[s] = best_in_range<smallest>(in, size_t(begin[s]), size_t(end[s]));  \
    });                                                                                                                 \
  }
  PORTER_CUB_SEGMENTED(ArgMin, true)
  PORTER_CUB_SEGMENTED(ArgMax, false)
#undef PORTER_CUB_SEGMENTED
};

// Reads an item before it writes its result: input and output may be the same array.
template <bool Exclusive, class In, class Out, class Op, class T>
void scan_range(In in, Out out, size_t begin, size_t end, Op op, const T *initial) {
  using Accumulator = std::decay_t<decltype(op(std::declval<T>(), in[0]))>;
  if (begin >= end) return;
  Accumulator running = initial ? Accumulator(*initial) : Accumulator(in[begin]);
  for (size_t i = begin; i < end; ++i) {
    ValueOf<In> item = in[i];
    Accumulator before = running;
    if (initial || i > begin) running = op(running, item);
    out[i] = Exclusive ? before : running;
  }
}

struct DeviceScan {
  template <class In, class Out, class Op, class T, class N, class Stream = void *>
  static PORTER_ERROR ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, T initial, N n, Stream = {},
                                    bool = false) {
    return device_call(temporary, bytes, [=] { scan_range<true>(in, out, 0, size_t(n), op, &initial); });
  }
  template <class In, class Out, class Op, class N, class Stream = void *>
  static PORTER_ERROR InclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, N n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] {
      scan_range<false>(in, out, 0, size_t(n), op, static_cast<const ValueOf<In> *>(nullptr));
    });
  }
  template <class In, class Out, class Op, class T, class N, class Stream = void *>
  static PORTER_ERROR InclusiveScanInit(void *temporary, size_t &bytes, In in, Out out, Op op, T initial, N n, Stream = {}) {
    return device_call(temporary, bytes, [=] { scan_range<false>(in, out, 0, size_t(n), op, &initial); });
  }
  template <class In, class Out, class N, class Stream = void *>
  static std::enable_if_t<!std::is_integral_v<Out>, PORTER_ERROR> ExclusiveSum(void *temporary, size_t &bytes, In in, Out out,
                                                                               N n, Stream = {}, bool = false) {
    return ExclusiveScan(temporary, bytes, in, out, Sum(), ValueOf<In>{}, n);
  }
  template <class In, class Out, class N, class Stream = void *>
  static std::enable_if_t<!std::is_integral_v<Out>, PORTER_ERROR> InclusiveSum(void *temporary, size_t &bytes, In in, Out out,
                                                                               N n, Stream = {}, bool = false) {
    return InclusiveScan(temporary, bytes, in, out, Sum(), n);
  }
  // In place.
  template <class Data, class N, class... Stream>
  static std::enable_if_t<std::is_integral_v<N>, PORTER_ERROR> ExclusiveSum(void *temporary, size_t &bytes, Data data, N n,
                                                                            Stream...) {
    return ExclusiveScan(temporary, bytes, data, data, Sum(), ValueOf<Data>{}, n);
  }
  template <class Data, class N, class... Stream>
  static std::enable_if_t<std::is_integral_v<N>, PORTER_ERROR> InclusiveSum(void *temporary, size_t &bytes, Data data, N n,
                                                                            Stream...) {
    return InclusiveScan(temporary, bytes, data, data, Sum(), n);
  }

  template <class Keys, class In, class Out, class Op, class T, class N, class Equal = Equality, class Stream = void *>
  static PORTER_ERROR ExclusiveScanByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, Op op, T initial, N n,
                                         Equal equal = {}, Stream = {}) {
    return by_key(temporary, bytes, keys, size_t(n), equal,
                  [=](size_t begin, size_t end) { scan_range<true>(in, out, begin, end, op, &initial); });
  }
  template <class Keys, class In, class Out, class Op, class N, class Equal = Equality, class Stream = void *>
  static PORTER_ERROR InclusiveScanByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, Op op, N n,
                                         Equal equal = {}, Stream = {}) {
    return by_key(temporary, bytes, keys, size_t(n), equal, [=](size_t begin, size_t end) {
      scan_range<false>(in, out, begin, end, op, static_cast<const ValueOf<In> *>(nullptr));
    });
  }
  template <class Keys, class In, class Out, class N, class Equal = Equality, class Stream = void *>
  static PORTER_ERROR ExclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, N n, Equal equal = {},
                                        Stream = {}) {
    return ExclusiveScanByKey(temporary, bytes, keys, in, out, Sum(), ValueOf<In>{}, n, equal);
  }
  template <class Keys, class In, class Out, class N, class Equal = Equality, class Stream = void *>
  static PORTER_ERROR InclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, N n, Equal equal = {},
                                        Stream = {}) {
    return InclusiveScanByKey(temporary, bytes, keys, in, out, Sum(), n, equal);
  }

 private:
  template <class Keys, class Equal, class Body>
  static PORTER_ERROR by_key(void *temporary, size_t &bytes, Keys keys, size_t n, Equal equal, Body body) {
    return device_call(temporary, bytes, [=] {
      for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && equal(keys[end - 1], keys[end]);) ++end;
        body(begin, end);
      }
    });
  }
};

}  // namespace PORTER_CUB
