// Reductions and scans over a block: thread 0 goes over the threads' values in their order.
#pragma once

#include "porter_sim/cub/common.h"

namespace PORTER_CUB {

template <class T, int Threads>
struct PerThread {
  T of[Threads];
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce : Collective<PerThread<T, X * Y * Z>> {
  using Base = Collective<PerThread<T, X * Y * Z>>;
  using Shape = BlockShape<X, Y, Z>;

 public:
  using typename Base::TempStorage;
  BlockReduce() = default;
  BlockReduce(TempStorage &storage) : Base(storage) {}

  // The result is thread 0's; the others' is their own value.
  template <class Op>
  T Reduce(T input, Op op, int num_valid) {
    int thread = Shape::thread();
    this->storage_.of[thread] = input;
    __syncthreads();
    if (thread == 0) {
      for (int i = 1; i < std::min(num_valid, Shape::threads); ++i) input = op(input, this->storage_.of[i]);
    }
    return input;
  }
  template <class Op>
  T Reduce(T input, Op op) {
    return Reduce(input, op, Shape::threads);
  }
  template <int N, class Op>
  T Reduce(T (&inputs)[N], Op op) {
    return Reduce(ThreadReduce(inputs, op), op);
  }
  T Sum(T input) { return Reduce(input, PORTER_CUB::Sum()); }
  T Sum(T input, int num_valid) { return Reduce(input, PORTER_CUB::Sum(), num_valid); }
  template <int N>
  T Sum(T (&inputs)[N]) {
    return Reduce(inputs, PORTER_CUB::Sum());
  }
};

template <class T, int Threads>
struct ScanStorage {
  T of[Threads];
  T prefix;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan : Collective<ScanStorage<T, X * Y * Z>> {
  using Base = Collective<ScanStorage<T, X * Y * Z>>;
  using Shape = BlockShape<X, Y, Z>;
  using Add = PORTER_CUB::Sum;

 public:
  using typename Base::TempStorage;
  BlockScan() = default;
  BlockScan(TempStorage &storage) : Base(storage) {}

  void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(), Add()); }
  void ExclusiveSum(T input, T &output, T &aggregate) { ExclusiveScan(input, output, T(), Add(), aggregate); }
  template <class Callback>
  void ExclusiveSum(T input, T &output, Callback &callback) {
    ExclusiveScan(input, output, Add(), callback);
  }
  template <int N>
  void ExclusiveSum(T (&input)[N], T (&output)[N]) {
    ExclusiveScan(input, output, T(), Add());
  }
  template <int N>
  void ExclusiveSum(T (&input)[N], T (&output)[N], T &aggregate) {
    ExclusiveScan(input, output, T(), Add(), aggregate);
  }
  template <int N, class Callback>
  void ExclusiveSum(T (&input)[N], T (&output)[N], Callback &callback) {
    ExclusiveScan(input, output, Add(), callback);
  }
  void InclusiveSum(T input, T &output) { InclusiveScan(input, output, Add()); }
  void InclusiveSum(T input, T &output, T &aggregate) { InclusiveScan(input, output, Add(), aggregate); }
  template <class Callback>
  void InclusiveSum(T input, T &output, Callback &callback) {
    InclusiveScan(input, output, Add(), callback);
  }
  template <int N>
  void InclusiveSum(T (&input)[N], T (&output)[N]) {
    InclusiveScan(input, output, Add());
  }
  template <int N>
  void InclusiveSum(T (&input)[N], T (&output)[N], T &aggregate) {
    InclusiveScan(input, output, Add(), aggregate);
  }
  template <int N, class Callback>
  void InclusiveSum(T (&input)[N], T (&output)[N], Callback &callback) {
    InclusiveScan(input, output, Add(), callback);
  }

  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial, op, aggregate);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate) {
    T in[1] = {input}, out[1];
    scan<true>(in, out, op, aggregate, &initial);
    output = out[0];
  }
  template <class Op, class Callback>
  void ExclusiveScan(T input, T &output, Op op, Callback &callback) {
    T in[1] = {input}, out[1];
    with_callback<true>(in, out, op, callback);
    output = out[0];
  }
  // Without an initial value, thread 0's result is undefined.
  template <class Op>
  void ExclusiveScan(T input, T &output, Op op) {
    T aggregate;
    ExclusiveScan(input, output, op, aggregate);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, Op op, T &aggregate) {
    T in[1] = {input}, out[1] = {output};
    scan<true>(in, out, op, aggregate, static_cast<T *>(nullptr));
    output = out[0];
  }
  template <int N, class Op>
  void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) {
    T aggregate;
    scan<true>(input, output, op, aggregate, &initial);
  }
  template <int N, class Op>
  void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T &aggregate) {
    scan<true>(input, output, op, aggregate, &initial);
  }
  template <int N, class Op, class Callback>
  void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback &callback) {
    with_callback<true>(input, output, op, callback);
  }
  template <int N, class Op>
  void ExclusiveScan(T (&input)[N], T (&output)[N], Op op) {
    T aggregate;
    scan<true>(input, output, op, aggregate, static_cast<T *>(nullptr));
  }
  template <int N, class Op>
  void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, T &aggregate) {
    scan<true>(input, output, op, aggregate, static_cast<T *>(nullptr));
  }

  template <class Op>
  void InclusiveScan(T input, T &output, Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <class Op>
  void InclusiveScan(T input, T &output, Op op, T &aggregate) {
    T in[1] = {input}, out[1];
    scan<false>(in, out, op, aggregate, static_cast<T *>(nullptr));
    output = out[0];
  }
  template <class Op, class Callback>
  void InclusiveScan(T input, T &output, Op op, Callback &callback) {
    T in[1] = {input}, out[1];
    with_callback<false>(in, out, op, callback);
    output = out[0];
  }
  template <int N, class Op>
  void InclusiveScan(T (&input)[N], T (&output)[N], Op op) {
    T aggregate;
    scan<false>(input, output, op, aggregate, static_cast<T *>(nullptr));
  }
  template <int N, class Op>
  void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T &aggregate) {
    scan<false>(input, output, op, aggregate, static_cast<T *>(nullptr));
  }
  template <int N, class Op, class Callback>
  void InclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback &callback) {
    with_callback<false>(input, output, op, callback);
  }
  template <int N, class Op>
  void InclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) {
    T aggregate;
    scan<false>(input, output, op, aggregate, &initial);
  }

 private:
  // After it, storage_.of[i] is the reduction of threads 0 to i.
  template <class Op>
  void accumulate(T mine, Op op) {
    int thread = Shape::thread();
    this->storage_.of[thread] = mine;
    __syncthreads();
    if (thread == 0) {
      for (int i = 1; i < Shape::threads; ++i) {
        this->storage_.of[i] = op(this->storage_.of[i - 1], this->storage_.of[i]);
      }
    }
    __syncthreads();
  }

  template <bool Exclusive, int N, class Op>
  void spread(T (&input)[N], T (&output)[N], Op op, const T *prefix) {
    int thread = Shape::thread();
    bool known = prefix != nullptr;
    T running = known ? *prefix : input[0];
    if (thread > 0) {
      T before = this->storage_.of[thread - 1];
      running = known ? op(running, before) : before;
      known = true;
    }
    for (int i = 0; i < N; ++i) {
      T own = input[i], through = known ? op(running, own) : own;
      if (!Exclusive) output[i] = through;
      else if (known) output[i] = running;
      running = through, known = true;
    }
  }

  template <bool Exclusive, int N, class Op>
  void scan(T (&input)[N], T (&output)[N], Op op, T &aggregate, const T *initial) {
    accumulate(ThreadReduce(input, op), op);
    aggregate = this->storage_.of[Shape::threads - 1];
    spread<Exclusive>(input, output, op, initial);
  }

  // The callback is the first warp's to call; what its first lane gets is the block's prefix.
  template <bool Exclusive, int N, class Op, class Callback>
  void with_callback(T (&input)[N], T (&output)[N], Op op, Callback &callback) {
    accumulate(ThreadReduce(input, op), op);
    if (Shape::thread() < ::porter_sim::lanes) {
      T prefix = callback(this->storage_.of[Shape::threads - 1]);
      if (Shape::thread() == 0) this->storage_.prefix = prefix;
    }
    __syncthreads();
    T prefix = this->storage_.prefix;
    spread<Exclusive>(input, output, op, &prefix);
  }
};

}  // namespace PORTER_CUB
