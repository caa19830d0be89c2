#pragma once
#include "../porter_cub.h"
namespace cub {

template <class T, int LANES = 32, int ARCH = 0> class WarpScan {
    static constexpr int width = padded(LANES);

  public:
    struct TempStorage {};
    PORTER_D WarpScan(TempStorage&) {}

    template <class Op> PORTER_D T inclusive(T input, Op op) {
        const int lane = LaneId() % width;
        T total = input;
        for (int offset = 1; offset < width; offset *= 2) {
            const T below = __shfl_up_sync(0xffffffffu, total, offset, width);
            if (lane >= offset) total = op(below, total);
        }
        return total;
    }
    // What the lanes before this one come to; the first lane gets `first`.
    template <class Op> PORTER_D T exclusive(T input, T first, Op op) {
        const T below = __shfl_up_sync(0xffffffffu, inclusive(input, op), 1, width);
        return LaneId() % width == 0 ? first : below;
    }

    PORTER_D T Broadcast(T input, unsigned int source) { return __shfl_sync(0xffffffffu, input, (int)source, width); }

    template <class Op> PORTER_D void InclusiveScan(T input, T& output, Op op) { output = inclusive(input, op); }
    template <class Op> PORTER_D void InclusiveScan(T input, T& output, Op op, T& warp_aggregate) {
        const T total = inclusive(input, op);
        warp_aggregate = __shfl_sync(0xffffffffu, total, LANES - 1, width);
        output = total;
    }
    // Without an initial value CUB leaves the first lane's result open.
    template <class Op> PORTER_D void ExclusiveScan(T input, T& output, Op op) {
        if constexpr (neutral<Op, T>::known) output = exclusive(input, neutral<Op, T>::value(), op);
        else output = exclusive(input, input, op);
    }
    template <class Op> PORTER_D void ExclusiveScan(T input, T& output, T initial_value, Op op) {
        if constexpr (neutral<Op, T>::known) {
            const T below = exclusive(input, neutral<Op, T>::value(), op);
            output = op(initial_value, below);
        } else {
            const T below = exclusive(input, input, op);
            output = LaneId() % width == 0 ? initial_value : (T)op(initial_value, below);
        }
    }
    template <class Op>
    PORTER_D void ExclusiveScan(T input, T& output, T initial_value, Op op, T& warp_aggregate) {
        const T value = input;
        InclusiveScan(value, output, op, warp_aggregate);
        ExclusiveScan(value, output, initial_value, op);
    }

    PORTER_D void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    PORTER_D void InclusiveSum(T input, T& output, T& warp_aggregate) {
        InclusiveScan(input, output, cub::Sum(), warp_aggregate);
    }
    PORTER_D void ExclusiveSum(T input, T& output) { output = exclusive(input, T(0), cub::Sum()); }
    PORTER_D void ExclusiveSum(T input, T& output, T& warp_aggregate) {
        const T value = input;
        InclusiveScan(value, output, cub::Sum(), warp_aggregate);
        output = exclusive(value, T(0), cub::Sum());
    }
};

}  // namespace cub
