// CUB's parts against plain loops; CUB is cub or hipcub. `check` names what fails.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

static int failures;
template <class T>
void check(const char *what, const std::vector<T> &made, const std::vector<T> &expected) {
  if (made.size() == expected.size() && std::equal(made.begin(), made.end(), expected.begin())) return;
  ++failures;
  printf("%s failed:", what);
  for (size_t i = 0; i < made.size() && i < 12; ++i) printf(" %g/%g", double(made[i]), double(expected[i]));
  printf("\n");
}

constexpr int threads = 96, items = 3, count = threads * items, first_valid = 50;

static int input_at(int i) { return (i * 37 + 11) % 101 - 50; }

// Results of one block, an array of `count` ints for each.
enum Result {
  reduce_plain, reduce_items, reduce_valid, scan_exclusive, scan_inclusive_max, scan_callback, scan_warp, reduce_warp,
  reduce_segments, loaded_striped, exchanged, scattered, heads, tails, differences, sorted_keys, sorted_values,
  sorted_descending, sorted_merge, histogram, rotated, warp_sorted, results
};

struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    int before = total;
    total += aggregate;
    return before;
  }
};

template <int Warp>
__global__ void block_parts(const int *in, int *out) {
  int thread = threadIdx.x;
  auto put = [&](Result r, int (&values)[items]) { CUB::StoreDirectBlocked(thread, out + r * count, values); };
  int data[items], other[items];
  typedef CUB::BlockLoad<int, threads, items, CUB::BLOCK_LOAD_TRANSPOSE> Load;
  typedef CUB::BlockReduce<int, threads> Reduce;
  typedef CUB::BlockScan<int, threads> Scan;
  typedef CUB::BlockRadixSort<int, threads, items, int> Sort;
  __shared__ union {
    typename Load::TempStorage load;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename CUB::BlockExchange<int, threads, items>::TempStorage exchange;
    typename CUB::BlockDiscontinuity<int, threads>::TempStorage discontinuity;
    typename CUB::BlockAdjacentDifference<int, threads>::TempStorage difference;
    typename CUB::BlockMergeSort<int, threads, items>::TempStorage merge;
    typename CUB::BlockShuffle<int, threads>::TempStorage shuffle;
    typename CUB::WarpReduce<int, Warp>::TempStorage warp_reduce[(threads + Warp - 1) / Warp];
    typename CUB::WarpScan<int, Warp>::TempStorage warp_scan[(threads + Warp - 1) / Warp];
  } temp;
  __shared__ unsigned bins[16];
  Load(temp.load).Load(in, data);
  __syncthreads();
  int sum = Reduce(temp.reduce).Sum(data[0]);
  if (thread == 0) out[reduce_plain * count] = sum;
  __syncthreads();
  sum = Reduce(temp.reduce).Reduce(data, CUB::Max());
  if (thread == 0) out[reduce_items * count] = sum;
  __syncthreads();
  sum = Reduce(temp.reduce).Reduce(data[0], CUB::Min(), first_valid);
  if (thread == 0) out[reduce_valid * count] = sum;
  __syncthreads();
  int total;
  Scan(temp.scan).ExclusiveSum(data, other, total);
  put(scan_exclusive, other);
  __syncthreads();
  Scan(temp.scan).InclusiveScan(data, other, CUB::Max());
  put(scan_inclusive_max, other);
  Running running{1000};
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    Scan(temp.scan).InclusiveSum(data, other, running);
  }
  put(scan_callback, other);
  __syncthreads();
  CUB::WarpScan<int, Warp>(temp.warp_scan[thread / Warp]).ExclusiveSum(data[0], out[scan_warp * count + thread]);
  sum = CUB::WarpReduce<int, Warp>(temp.warp_reduce[thread / Warp]).Sum(data[0]);
  if (thread % Warp == 0) out[reduce_warp * count + thread] = sum;
  sum = CUB::WarpReduce<int, Warp>(temp.warp_reduce[thread / Warp]).HeadSegmentedSum(data[0], thread % 5 == 0);
  if (thread % 5 == 0) out[reduce_segments * count + thread] = sum;
  CUB::LoadDirectStriped<threads>(thread, in, other, count - 7, -1);
  put(loaded_striped, other);
  __syncthreads();
  CUB::BlockExchange<int, threads, items>(temp.exchange).StripedToBlocked(data, other);
  put(exchanged, other);
  __syncthreads();
  int ranks[items];
  for (int i = 0; i < items; ++i) ranks[i] = count - 1 - (thread * items + i);
  CUB::BlockExchange<int, threads, items>(temp.exchange).ScatterToBlocked(data, other, ranks);
  put(scattered, other);
  __syncthreads();
  int sign[items];
  for (int i = 0; i < items; ++i) sign[i] = data[i] < 0;
  CUB::BlockDiscontinuity<int, threads>(temp.discontinuity).FlagHeads(other, sign, CUB::Inequality());
  put(heads, other);
  __syncthreads();
  CUB::BlockDiscontinuity<int, threads>(temp.discontinuity).FlagTails(other, sign, CUB::Inequality(), 0);
  put(tails, other);
  __syncthreads();
  CUB::BlockAdjacentDifference<int, threads>(temp.difference).SubtractLeft(data, other, CUB::Difference());
  put(differences, other);
  __syncthreads();
  int keys[items], values[items];
  for (int i = 0; i < items; ++i) keys[i] = data[i], values[i] = thread * items + i;
  Sort(temp.sort).Sort(keys, values);
  put(sorted_keys, keys), put(sorted_values, values);
  __syncthreads();
  for (int i = 0; i < items; ++i) keys[i] = data[i], values[i] = thread * items + i;
  Sort(temp.sort).SortDescendingBlockedToStriped(keys, values, 2, 6);
  CUB::StoreDirectStriped<threads>(thread, out + sorted_descending * count, keys);
  __syncthreads();
  for (int i = 0; i < items; ++i) keys[i] = data[i];
  CUB::BlockMergeSort<int, threads, items>(temp.merge).Sort(keys, [](int a, int b) { return a > b; });
  put(sorted_merge, keys);
  unsigned char samples[items];
  for (int i = 0; i < items; ++i) samples[i] = (unsigned char)((data[i] + 50) % 16);
  typedef CUB::BlockHistogram<unsigned char, threads, items, 16> Histogram;
  __shared__ typename Histogram::TempStorage histogram_storage;
  Histogram(histogram_storage).Histogram(samples, bins);
  __syncthreads();
  if (thread < 16) out[histogram * count + thread] = int(bins[thread]);
  CUB::BlockShuffle<int, threads>(temp.shuffle).Rotate(data[0], out[rotated * count + thread], 5);
  __shared__ typename CUB::WarpMergeSort<int, items, Warp>::TempStorage warp_sort[(threads + Warp - 1) / Warp];
  for (int i = 0; i < items; ++i) keys[i] = data[i];
  CUB::WarpMergeSort<int, items, Warp>(warp_sort[thread / Warp]).Sort(keys, [](int a, int b) { return a < b; });
  put(warp_sorted, keys);
}

static std::vector<int> all_input() {
  std::vector<int> x(count);
  for (int i = 0; i < count; ++i) x[i] = input_at(i);
  return x;
}
static std::vector<int> of_threads() {
  std::vector<int> x(threads);
  for (int i = 0; i < threads; ++i) x[i] = input_at(i * items);
  return x;
}

template <int Warp>
void check_block_parts() {
  std::vector<int> x = all_input(), t = of_threads(), e;
  int *in, *out;
  GPU(MallocManaged)(&in, count * 4), GPU(MallocManaged)(&out, results * count * 4);
  std::copy(x.begin(), x.end(), in);
  block_parts<Warp><<<1, threads>>>(in, out);
  if (GPU(DeviceSynchronize)()) ++failures, printf("the kernel failed\n");
  auto got = [&](Result r, int n = count) { return std::vector<int>(out + r * count, out + r * count + n); };
  check("BlockReduce Sum", got(reduce_plain, 1), {std::accumulate(t.begin(), t.end(), 0)});
  check("BlockReduce of items", got(reduce_items, 1), {*std::max_element(x.begin(), x.end())});
  check("BlockReduce of some", got(reduce_valid, 1), {*std::min_element(t.begin(), t.begin() + first_valid)});
  e = x, std::exclusive_scan(x.begin(), x.end(), e.begin(), 0), check("BlockScan ExclusiveSum", got(scan_exclusive), e);
  std::inclusive_scan(x.begin(), x.end(), e.begin(), [](int a, int b) { return std::max(a, b); });
  check("BlockScan InclusiveScan", got(scan_inclusive_max), e);
  std::inclusive_scan(x.begin(), x.end(), e.begin());
  for (int &v : e) v += 1000 + std::accumulate(x.begin(), x.end(), 0);
  check("BlockScan with a callback", got(scan_callback), e);
  std::vector<int> scans(threads), sums, made_sums, segments, made_segments;
  for (int w = 0; w < threads; w += Warp) {
    int end = std::min(w + Warp, threads);
    std::exclusive_scan(t.begin() + w, t.begin() + end, scans.begin() + w, 0);
    sums.push_back(std::accumulate(t.begin() + w, t.begin() + end, 0));
    made_sums.push_back(got(reduce_warp)[w]);
  }
  check("WarpScan", got(scan_warp, threads), scans);
  check("WarpReduce", made_sums, sums);
  for (int i = 0; i < threads; i += 5) {
    int end = std::min({i + 5, (i / Warp + 1) * Warp, threads});
    segments.push_back(std::accumulate(t.begin() + i, t.begin() + end, 0));
    made_segments.push_back(got(reduce_segments)[i]);
  }
  check("HeadSegmentedSum", made_segments, segments);
  for (int i = 0; i < count; ++i) {
    int from = i / items + i % items * threads;
    e[i] = from < count - 7 ? x[from] : -1;
  }
  check("LoadDirectStriped", got(loaded_striped), e);
  for (int i = 0; i < count; ++i) e[i] = x[i % threads * items + i / threads];
  check("StripedToBlocked", got(exchanged), e);
  e.assign(x.rbegin(), x.rend()), check("ScatterToBlocked", got(scattered), e);
  for (int i = 0; i < count; ++i) e[i] = i == 0 || (x[i] < 0) != (x[i - 1] < 0);
  check("FlagHeads", got(heads), e);
  for (int i = 0; i < count; ++i) e[i] = i + 1 < count ? (x[i] < 0) != (x[i + 1] < 0) : (x[i] < 0) != false;
  check("FlagTails", got(tails), e);
  std::adjacent_difference(x.begin(), x.end(), e.begin()), check("SubtractLeft", got(differences), e);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
  check("BlockRadixSort values", got(sorted_values), order);
  e = x, std::sort(e.begin(), e.end()), check("BlockRadixSort keys", got(sorted_keys), e);
  std::reverse(e.begin(), e.end()), check("BlockMergeSort", got(sorted_merge), e);
  e = x, std::stable_sort(e.begin(), e.end(), [](int a, int b) { return (a >> 2 & 15) > (b >> 2 & 15); });
  check("SortDescendingBlockedToStriped of bits", got(sorted_descending), e);
  std::vector<int> bins(16);
  for (int v : x) ++bins[(v + 50) % 16];
  check("BlockHistogram", got(histogram, 16), bins);
  e.resize(threads);
  for (int i = 0; i < threads; ++i) e[i] = t[(i + 5) % threads];
  check("BlockShuffle Rotate", got(rotated, threads), e);
  e = x;
  for (int w = 0; w < count; w += Warp * items) std::sort(e.begin() + w, e.begin() + std::min(count, w + Warp * items));
  check("WarpMergeSort", got(warp_sorted), e);
}

// Runs a device-wide call as its protocol wants it.
template <class Call>
void in_two_steps(const char *what, Call call) {
  size_t bytes = 0, none = 0;
  void *storage = nullptr;
  if (int(call(storage, bytes)) || bytes == 0) ++failures, printf("%s does not say its storage\n", what);
  GPU(Malloc)(&storage, bytes);
  if (int(call(storage, none)) != 1) ++failures, printf("%s takes too little storage\n", what);
  if (int(call(storage, bytes))) ++failures, printf("%s fails\n", what);
  GPU(Free)(storage);
}

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Negative {
  __host__ __device__ bool operator()(int x) const { return x < 0; }
};

template <class T>
T *managed(const std::vector<T> &values) {
  T *p;
  GPU(MallocManaged)(&p, values.size() * sizeof(T));
  std::copy(values.begin(), values.end(), p);
  return p;
}
template <class T>
std::vector<T> read(const T *p, size_t n) {
  return std::vector<T>(p, p + n);
}

static void check_device_parts() {
  std::vector<int> x = all_input(), e = x;
  int *in = managed(x), *out = managed(x), *other = managed(x), *number = managed(std::vector<int>(4)), n = count;
  in_two_steps("Sum", [&](void *t, size_t &b) { return CUB::DeviceReduce::Sum(t, b, in, number, n); });
  check("DeviceReduce Sum", read(number, 1), {std::accumulate(x.begin(), x.end(), 0)});
  CUB::TransformInputIterator<int, Square, int *> squares(in, Square());
  in_two_steps("Max", [&](void *t, size_t &b) { return CUB::DeviceReduce::Max(t, b, squares, number, n); });
  check("DeviceReduce Max of a transformation", read(number, 1), {2500});
  auto *best = managed(std::vector<CUB::KeyValuePair<int, int>>(1));
  in_two_steps("ArgMin", [&](void *t, size_t &b) { return CUB::DeviceReduce::ArgMin(t, b, in, best, n); });
  check("ArgMin", std::vector<int>{best->key, best->value},
        {int(std::min_element(x.begin(), x.end()) - x.begin()), *std::min_element(x.begin(), x.end())});
  in_two_steps("ExclusiveSum", [&](void *t, size_t &b) { return CUB::DeviceScan::ExclusiveSum(t, b, in, out, n); });
  std::exclusive_scan(x.begin(), x.end(), e.begin(), 0), check("DeviceScan ExclusiveSum", read(out, count), e);
  std::copy(x.begin(), x.end(), out);
  in_two_steps("InclusiveScan", [&](void *t, size_t &b) { return CUB::DeviceScan::InclusiveScan(t, b, out, out, CUB::Min(), n); });
  std::inclusive_scan(x.begin(), x.end(), e.begin(), [](int a, int b) { return std::min(a, b); });
  check("DeviceScan in place", read(out, count), e);
  in_two_steps("SortKeysDescending",
               [&](void *t, size_t &b) { return CUB::DeviceRadixSort::SortKeysDescending(t, b, in, out, n); });
  e = x, std::sort(e.rbegin(), e.rend()), check("SortKeysDescending", read(out, count), e);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  int *places = managed(order), *places_out = managed(order);
  std::copy(x.begin(), x.end(), other);
  CUB::DoubleBuffer<int> keys(other, out), values(places, places_out);
  in_two_steps("SortPairs", [&](void *t, size_t &b) { return CUB::DeviceRadixSort::SortPairs(t, b, keys, values, n, 1, 5); });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return (x[a] >> 1 & 15) < (x[b] >> 1 & 15); });
  check("SortPairs of bits", read(values.Current(), count), order);
  float *reals = managed(std::vector<float>{0.f, -0.f, 1.f, -1.f, INFINITY, -INFINITY, -0.f, 0.f});
  float *reals_out = managed(std::vector<float>(8));
  int *index = managed(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), *index_out = managed(std::vector<int>(8));
  in_two_steps("SortPairs of floats", [&](void *t, size_t &b) {
    return CUB::DeviceRadixSort::SortPairs(t, b, reals, reals_out, index, index_out, 8);
  });
  check("signed zeros are equal", read(index_out, 8), {5, 3, 0, 1, 6, 7, 2, 4});
  in_two_steps("If", [&](void *t, size_t &b) { return CUB::DeviceSelect::If(t, b, in, out, number, n, Negative()); });
  e.clear();
  for (int v : x) if (v < 0) e.push_back(v);
  check("DeviceSelect If", read(out, e.size()), e), check("count of If", read(number, 1), {int(e.size())});
  std::vector<int> rejected;
  for (int v : x) if (v >= 0) rejected.push_back(v);
  e.insert(e.end(), rejected.rbegin(), rejected.rend());
  in_two_steps("partition", [&](void *t, size_t &b) { return CUB::DevicePartition::If(t, b, in, out, number, n, Negative()); });
  check("DevicePartition If", read(out, count), e);
  int *runs = managed(std::vector<int>{1, 1, 2, 5, 5, 5, 1}), *lengths = managed(std::vector<int>(7));
  in_two_steps("Unique", [&](void *t, size_t &b) { return CUB::DeviceSelect::Unique(t, b, runs, out, number, 7); });
  check("DeviceSelect Unique", read(out, 4), {1, 2, 5, 1});
  in_two_steps("Encode", [&](void *t, size_t &b) { return CUB::DeviceRunLengthEncode::Encode(t, b, runs, out, lengths, number, 7); });
  check("Encode", read(lengths, 4), {2, 1, 3, 1}), check("number of runs", read(number, 1), {4});
  in_two_steps("NonTrivialRuns",
               [&](void *t, size_t &b) { return CUB::DeviceRunLengthEncode::NonTrivialRuns(t, b, runs, out, lengths, number, 7); });
  check("NonTrivialRuns", read(out, 2), {0, 3});
  int *ten = managed(std::vector<int>{1, 2, 3, 4, 5, 6, 7});
  in_two_steps("ReduceByKey", [&](void *t, size_t &b) {
    return CUB::DeviceReduce::ReduceByKey(t, b, runs, out, ten, lengths, number, CUB::Sum(), 7);
  });
  check("ReduceByKey", read(lengths, 4), {3, 3, 15, 7});
  float *samples = managed(std::vector<float>{-1, 0, 0.99f, 1, 1.5f, 2.999f, 3, 3.5f, NAN});
  in_two_steps("HistogramEven", [&](void *t, size_t &b) {
    return CUB::DeviceHistogram::HistogramEven(t, b, samples, number, 4, 0.f, 3.f, 9);
  });
  check("HistogramEven", read(number, 3), {2, 2, 1});
  float *levels = managed(std::vector<float>{0, 0.5f, 3, 4});
  in_two_steps("HistogramRange",
               [&](void *t, size_t &b) { return CUB::DeviceHistogram::HistogramRange(t, b, samples, number, 4, levels, 9); });
  check("HistogramRange", read(number, 3), {1, 4, 2});
  int *offsets = managed(std::vector<int>{0, 3, 3, 7});
  in_two_steps("segmented Sum",
               [&](void *t, size_t &b) { return CUB::DeviceSegmentedReduce::Sum(t, b, ten, out, 3, offsets, offsets + 1); });
  check("DeviceSegmentedReduce Sum", read(out, 3), {6, 0, 22});
  in_two_steps("segmented sort", [&](void *t, size_t &b) {
    return CUB::DeviceSegmentedRadixSort::SortKeysDescending(t, b, ten, out, 7, 3, offsets, offsets + 1);
  });
  check("DeviceSegmentedRadixSort", read(out, 7), {3, 2, 1, 7, 6, 5, 4});
}
