#pragma once
#include "../warp/warp_scan.cuh"
namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan {
    static constexpr int threads = X * Y * Z;
    static constexpr int warps = (threads + 31) / 32;

    template <class Op> PORTER_D T inclusive(T input, Op op, T& aggregate) {
        __shared__ T warp_totals[warps];
        const int thread = thread_number<X, Y, Z>();
        T total = input;
        for (int offset = 1; offset < 32; offset *= 2) {
            const T below = __shfl_up_sync(0xffffffffu, total, offset);
            if (thread % 32 >= offset) total = op(below, total);
        }
        __syncthreads();
        if (thread % 32 == 31 || thread == threads - 1) warp_totals[thread / 32] = total;
        __syncthreads();
        T before = warp_totals[0];
        for (int warp = 1; warp < warps; warp++) {
            if (thread / 32 == warp) total = op(before, total);
            before = op(before, warp_totals[warp]);
        }
        aggregate = before;
        return total;
    }
    // What the threads before this one come to; thread 0 gets `first`.
    template <class Op> PORTER_D T exclusive(T input, T first, Op op, T& aggregate) {
        __shared__ T warp_totals[warps];
        const int thread = thread_number<X, Y, Z>();
        T total = input;
        for (int offset = 1; offset < 32; offset *= 2) {
            const T below = __shfl_up_sync(0xffffffffu, total, offset);
            if (thread % 32 >= offset) total = op(below, total);
        }
        __syncthreads();
        if (thread % 32 == 31 || thread == threads - 1) warp_totals[thread / 32] = total;
        __syncthreads();
        T result = __shfl_up_sync(0xffffffffu, total, 1);
        if (thread == 0) result = first;
        T before = warp_totals[0];
        for (int warp = 1; warp < warps; warp++) {
            if (thread / 32 == warp) {
                if (thread % 32 == 0) result = before;
                else result = op(before, result);
            }
            before = op(before, warp_totals[warp]);
        }
        aggregate = before;
        return result;
    }
    template <class Op> PORTER_D T exclusive_from(T input, T initial_value, Op op, T& aggregate) {
        if constexpr (neutral<Op, T>::known) {
            const T below = exclusive(input, neutral<Op, T>::value(), op, aggregate);
            return op(initial_value, below);
        } else {
            const T below = exclusive(input, input, op, aggregate);
            return thread_number<X, Y, Z>() == 0 ? initial_value : (T)op(initial_value, below);
        }
    }
    template <class Op> PORTER_D T first(T input) {
        if constexpr (neutral<Op, T>::known) return neutral<Op, T>::value();
        else return input;
    }

  public:
    struct TempStorage {};
    PORTER_D BlockScan() {}
    PORTER_D BlockScan(TempStorage&) {}

    template <class Op> PORTER_D void InclusiveScan(T input, T& output, Op op) {
        T aggregate;
        output = inclusive(input, op, aggregate);
    }
    template <class Op> PORTER_D void InclusiveScan(T input, T& output, Op op, T& block_aggregate) {
        output = inclusive(input, op, block_aggregate);
    }
    // Without an initial value CUB leaves thread 0's result open.
    template <class Op> PORTER_D void ExclusiveScan(T input, T& output, Op op) {
        T aggregate;
        output = exclusive(input, first<Op>(input), op, aggregate);
    }
    template <class Op> PORTER_D void ExclusiveScan(T input, T& output, T initial_value, Op op) {
        T aggregate;
        output = exclusive_from(input, initial_value, op, aggregate);
    }
    template <class Op>
    PORTER_D void ExclusiveScan(T input, T& output, T initial_value, Op op, T& block_aggregate) {
        output = exclusive_from(input, initial_value, op, block_aggregate);
    }

    // Several items a thread: the thread's own total is scanned, then each item takes its turn.
    template <int N, class Op> PORTER_D void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T& block_aggregate) {
        const T partial = ThreadReduce(input, op);
        const T below = exclusive(partial, first<Op>(partial), op, block_aggregate);
        T running = input[0];
        if (neutral<Op, T>::known || thread_number<X, Y, Z>() > 0) running = op(below, running);
        output[0] = running;
        for (int k = 1; k < N; k++) {
            running = op(running, input[k]);
            output[k] = running;
        }
    }
    template <int N, class Op> PORTER_D void InclusiveScan(T (&input)[N], T (&output)[N], Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <int N, class Op>
    PORTER_D void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op, T& block_aggregate) {
        const T partial = ThreadReduce(input, op);
        T running = exclusive_from(partial, initial_value, op, block_aggregate);
        for (int k = 0; k < N; k++) {
            const T item = input[k];
            output[k] = running;
            running = op(running, item);
        }
    }
    template <int N, class Op>
    PORTER_D void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial_value, op, aggregate);
    }

    PORTER_D void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    PORTER_D void InclusiveSum(T input, T& output, T& block_aggregate) {
        InclusiveScan(input, output, cub::Sum(), block_aggregate);
    }
    PORTER_D void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, cub::Sum()); }
    PORTER_D void ExclusiveSum(T input, T& output, T& block_aggregate) {
        output = exclusive(input, T(0), cub::Sum(), block_aggregate);
    }
    template <int N> PORTER_D void InclusiveSum(T (&input)[N], T (&output)[N]) {
        T aggregate;
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <int N> PORTER_D void InclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        InclusiveScan(input, output, cub::Sum(), block_aggregate);
    }
    template <int N> PORTER_D void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        const T partial = ThreadReduce(input, cub::Sum());
        T running = exclusive(partial, T(0), cub::Sum(), block_aggregate);
        for (int k = 0; k < N; k++) {
            const T item = input[k];
            output[k] = running;
            running = running + item;
        }
    }
    template <int N> PORTER_D void ExclusiveSum(T (&input)[N], T (&output)[N]) {
        T aggregate;
        ExclusiveSum(input, output, aggregate);
    }
};

}  // namespace cub
