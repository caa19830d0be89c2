// Device-wide selections, partitions, run lengths, histograms, differences and loops.
#pragma once

#include "porter_sim/cub/device_call.h"

namespace PORTER_CUB {

// Keeps the items for which `keep(index)` holds; input and output may be the same array.
template <class In, class Out, class Count, class Keep>
void select(In in, Out out, Count count, size_t n, Keep keep) {
  size_t kept = 0;
  for (size_t i = 0; i < n; ++i) {
    if (keep(i)) out[kept++] = in[i];
  }
  *count = ValueOf<Count>(kept);
}

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class N, class Stream = void *>
  static PORTER_ERROR Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out, Count count, N n, Stream = {},
                              bool = false) {
    return device_call(temporary, bytes,
                       [=] { select(in, out, count, size_t(n), [&](size_t i) { return bool(flags[i]); }); });
  }
  template <class In, class Out, class Count, class N, class Op, class Stream = void *>
  static PORTER_ERROR If(void *temporary, size_t &bytes, In in, Out out, Count count, N n, Op op, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] { select(in, out, count, size_t(n), [&](size_t i) { return op(in[i]); }); });
  }
  template <class In, class Out, class Count, class N, class Stream = void *>
  static PORTER_ERROR Unique(void *temporary, size_t &bytes, In in, Out out, Count count, N n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] {
      select(in, out, count, size_t(n), [&](size_t i) { return i == 0 || !(in[i - 1] == in[i]); });
    });
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class N, class Stream = void *>
  static PORTER_ERROR UniqueByKey(void *temporary, size_t &bytes, Keys keys, Values values, KeysOut keys_out,
                                  ValuesOut values_out, Count count, N n, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] {
      auto first = [&](size_t i) { return i == 0 || !(keys[i - 1] == keys[i]); };
      select(values, values_out, count, size_t(n), first);
      select(keys, keys_out, count, size_t(n), first);
    });
  }
};

// What is not selected comes after the rest, in reverse.
struct DevicePartition {
  template <class In, class Flags, class Out, class Count, class N, class Stream = void *>
  static PORTER_ERROR Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out, Count count, N n, Stream = {},
                              bool = false) {
    return device_call(temporary, bytes,
                       [=] { partition(in, out, count, size_t(n), [&](size_t i) { return bool(flags[i]); }); });
  }
  template <class In, class Out, class Count, class N, class Op, class Stream = void *>
  static PORTER_ERROR If(void *temporary, size_t &bytes, In in, Out out, Count count, N n, Op op, Stream = {}, bool = false) {
    return device_call(temporary, bytes, [=] { partition(in, out, count, size_t(n), [&](size_t i) { return op(in[i]); }); });
  }
  // Three ways: `counts` gets the sizes of the first two.
  template <class In, class First, class Second, class Rest, class Count, class N, class Op1, class Op2, class Stream = void *>
  static PORTER_ERROR If(void *temporary, size_t &bytes, In in, First first, Second second, Rest rest, Count counts, N n,
                         Op1 op1, Op2 op2, Stream = {}) {
    return device_call(temporary, bytes, [=]() mutable {
      size_t at[3] = {};
      for (size_t i = 0; i < size_t(n); ++i) {
        if (op1(in[i])) first[at[0]++] = in[i];
        else if (op2(in[i])) second[at[1]++] = in[i];
        else rest[at[2]++] = in[i];
      }
      counts[0] = ValueOf<Count>(at[0]), counts[1] = ValueOf<Count>(at[1]);
    });
  }

 private:
  template <class In, class Out, class Count, class Keep>
  static void partition(In in, Out out, Count count, size_t n, Keep keep) {
    size_t kept = 0, left = n;
    for (size_t i = 0; i < n; ++i) out[keep(i) ? kept++ : --left] = in[i];
    *count = ValueOf<Count>(kept);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count, class N, class Stream = void *>
  static PORTER_ERROR Encode(void *temporary, size_t &bytes, In in, Unique unique, Lengths lengths, Count runs, N n,
                             Stream = {}, bool = false) {
    return each_run(temporary, bytes, in, size_t(n), runs, 1, [=](size_t run, size_t first, size_t length) mutable {
      unique[run] = in[first], lengths[run] = OutputOf<Lengths, size_t>(length);
    });
  }
  template <class In, class Offsets, class Lengths, class Count, class N, class Stream = void *>
  static PORTER_ERROR NonTrivialRuns(void *temporary, size_t &bytes, In in, Offsets offsets, Lengths lengths, Count runs, N n,
                                     Stream = {}, bool = false) {
    return each_run(temporary, bytes, in, size_t(n), runs, 2, [=](size_t run, size_t first, size_t length) mutable {
      offsets[run] = OutputOf<Offsets, size_t>(first), lengths[run] = OutputOf<Lengths, size_t>(length);
    });
  }

 private:
  template <class In, class Count, class Body>
  static PORTER_ERROR each_run(void *temporary, size_t &bytes, In in, size_t n, Count runs, size_t shortest, Body body) {
    return device_call(temporary, bytes, [=]() mutable {
      size_t run = 0;
      for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && in[end] == in[first];) ++end;
        if (end - first >= shortest) body(run++, first, end - first);
      }
      *runs = ValueOf<Count>(run);
    });
  }
};

// The bin of a sample, -1 outside: bins are closed below and open above.
template <class Sample, class Level>
int even_bin(Sample sample, int bins, Level lower, Level upper) {
  using T = std::common_type_t<Sample, Level>;
  if (!(T(sample) >= T(lower) && T(sample) < T(upper))) return -1;
  if constexpr (std::is_integral_v<T>) {
    return int((__int128)(T(sample) - T(lower)) * bins / (__int128)(T(upper) - T(lower)));
  } else {
    return std::min(bins - 1, int((T(sample) - T(lower)) * (T(bins) / (T(upper) - T(lower)))));
  }
}
template <class Sample, class Level>
int range_bin(Sample sample, int bins, const Level *levels) {
  int bin = int(std::upper_bound(levels, levels + bins + 1, Level(sample)) - levels) - 1;
  return bin < bins ? bin : -1;
}

struct DeviceHistogram {
  template <class In, class Counter, class Level, class N, class Stream = void *>
  static PORTER_ERROR HistogramEven(void *temporary, size_t &bytes, In in, Counter *histogram, int levels, Level lower,
                                    Level upper, N n, Stream = {}, bool = false) {
    Counter *all[1] = {histogram};
    int counts[1] = {levels};
    Level lowers[1] = {lower}, uppers[1] = {upper};
    return MultiHistogramEven<1, 1>(temporary, bytes, in, all, counts, lowers, uppers, n);
  }
  template <class In, class Counter, class Level, class N, class Stream = void *>
  static PORTER_ERROR HistogramRange(void *temporary, size_t &bytes, In in, Counter *histogram, int levels,
                                     const Level *bounds, N n, Stream = {}, bool = false) {
    Counter *all[1] = {histogram};
    int counts[1] = {levels};
    const Level *starts[1] = {bounds};
    return MultiHistogramRange<1, 1>(temporary, bytes, in, all, counts, starts, n);
  }
  template <int Channels, int Active, class In, class Counter, class Level, class N, class Stream = void *>
  static PORTER_ERROR MultiHistogramEven(void *temporary, size_t &bytes, In in, Counter *(&histograms)[Active],
                                         int (&levels)[Active], Level (&lower)[Active], Level (&upper)[Active], N n,
                                         Stream = {}, bool = false) {
    return count<Channels, Active>(temporary, bytes, in, histograms, levels, size_t(n), [&](int c, auto sample) {
      return even_bin(sample, levels[c] - 1, lower[c], upper[c]);
    });
  }
  template <int Channels, int Active, class In, class Counter, class Level, class N, class Stream = void *>
  static PORTER_ERROR MultiHistogramRange(void *temporary, size_t &bytes, In in, Counter *(&histograms)[Active],
                                          int (&levels)[Active], Level *(&bounds)[Active], N n, Stream = {}, bool = false) {
    return count<Channels, Active>(temporary, bytes, in, histograms, levels, size_t(n), [&](int c, auto sample) {
      return range_bin(sample, levels[c] - 1, bounds[c]);
    });
  }

 private:
  template <int Channels, int Active, class In, class Counter, class Bin>
  static PORTER_ERROR count(void *temporary, size_t &bytes, In in, Counter **histograms, const int *levels, size_t n, Bin bin) {
    return device_call(temporary, bytes, [&] {
      for (int c = 0; c < Active; ++c) std::fill(histograms[c], histograms[c] + std::max(levels[c] - 1, 0), Counter(0));
      for (size_t i = 0; i < n; ++i) {
        for (int c = 0; c < Active; ++c) {
          int at = bin(c, in[i * Channels + c]);
          if (at >= 0) ++histograms[c][at];
        }
      }
    });
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class N, class Op = Difference, class Stream = void *>
  static PORTER_ERROR SubtractLeftCopy(void *temporary, size_t &bytes, In in, Out out, N n, Op op = {}, Stream = {}) {
    return device_call(temporary, bytes, [=]() mutable {
      for (size_t i = size_t(n); i-- > 0;) out[i] = i ? op(in[i], in[i - 1]) : in[i];
    });
  }
  template <class Data, class N, class Op = Difference, class Stream = void *>
  static PORTER_ERROR SubtractLeft(void *temporary, size_t &bytes, Data data, N n, Op op = {}, Stream = {}) {
    return SubtractLeftCopy(temporary, bytes, data, data, n, op);
  }
  template <class In, class Out, class N, class Op = Difference, class Stream = void *>
  static PORTER_ERROR SubtractRightCopy(void *temporary, size_t &bytes, In in, Out out, N n, Op op = {}, Stream = {}) {
    return device_call(temporary, bytes, [=]() mutable {
      for (size_t i = 0; i < size_t(n); ++i) out[i] = i + 1 < size_t(n) ? op(in[i], in[i + 1]) : in[i];
    });
  }
  template <class Data, class N, class Op = Difference, class Stream = void *>
  static PORTER_ERROR SubtractRight(void *temporary, size_t &bytes, Data data, N n, Op op = {}, Stream = {}) {
    return SubtractRightCopy(temporary, bytes, data, data, n, op);
  }
};

struct DeviceFor {
  template <class N, class Op, class Stream = void *>
  static std::enable_if_t<std::is_integral_v<N>, PORTER_ERROR> Bulk(N n, Op op, Stream = {}) {
    size_t bytes = 1;
    return device_call(&bytes, bytes, [&] {
      for (N i = 0; i < n; ++i) op(i);
    });
  }
  template <class Iterator, class N, class Op, class Stream = void *>
  static PORTER_ERROR ForEachN(Iterator first, N n, Op op, Stream = {}) {
    size_t bytes = 1;
    return device_call(&bytes, bytes, [&] {
      for (N i = 0; i < n; ++i) op(first[i]);
    });
  }
  template <class Iterator, class Op, class Stream = void *>
  static PORTER_ERROR ForEach(Iterator first, Iterator last, Op op, Stream = {}) {
    return ForEachN(first, last - first, op);
  }
};

}  // namespace PORTER_CUB
