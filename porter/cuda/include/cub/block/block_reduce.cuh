#pragma once
#include "../warp/warp_reduce.cuh"
namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

// As in CUB, thread 0 has the result, the others have something else.
template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockReduce {
    static constexpr int threads = X * Y * Z;
    static constexpr int warps = (threads + 31) / 32;

    // The first `present` threads count.
    template <class Op> PORTER_D T reduce(T input, Op op, int present) {
        __shared__ T warp_totals[warps];
        const int thread = thread_number<X, Y, Z>();
        T total = input;
        for (int offset = 16; offset > 0; offset /= 2) {
            const T other = shuffle_down(total, offset);
            if (thread % 32 + offset < 32 && thread + offset < present) total = op(total, other);
        }
        if constexpr (warps > 1) {
            __syncthreads();
            if (thread % 32 == 0) warp_totals[thread / 32] = total;
            __syncthreads();
            if (thread == 0) {
                for (int warp = 1; warp < warps; warp++)
                    if (warp * 32 < present) total = op(total, warp_totals[warp]);
            }
        }
        return total;
    }

  public:
    struct TempStorage {};
    PORTER_D BlockReduce() {}
    PORTER_D BlockReduce(TempStorage&) {}

    template <class Op> PORTER_D T Reduce(T input, Op op) { return reduce(input, op, threads); }
    template <class Op> PORTER_D T Reduce(T input, Op op, int num_valid) {
        if constexpr (neutral<Op, T>::known) {
            const T present = thread_number<X, Y, Z>() < num_valid ? input : neutral<Op, T>::value();
            return reduce(present, op, threads);
        } else {
            return reduce(input, op, num_valid);
        }
    }
    template <int N, class Op> PORTER_D T Reduce(T (&inputs)[N], Op op) {
        const T partial = ThreadReduce(inputs, op);
        return reduce(partial, op, threads);
    }
    PORTER_D T Sum(T input) { return Reduce(input, cub::Sum()); }
    PORTER_D T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
    template <int N> PORTER_D T Sum(T (&inputs)[N]) { return Reduce(inputs, cub::Sum()); }
};

}  // namespace cub
