#pragma once
#include "../porter_cub.h"
namespace cub {

// As in CUB, the first lane of each LANES has the result, the others have something else.
template <class T, int LANES = 32, int ARCH = 0> class WarpReduce {
  public:
    struct TempStorage {};
    PORTER_D WarpReduce(TempStorage&) {}

    template <class Op> PORTER_D T Reduce(T input, Op op) {
        constexpr int width = padded(LANES);
        const int lane = LaneId() % width;
        T total = input;
        for (int offset = width / 2; offset > 0; offset /= 2) {
            const T other = shuffle_down(total, offset, width);
            if (lane + offset < LANES) total = op(total, other);
        }
        return total;
    }
    template <class Op> PORTER_D T Reduce(T input, Op op, int valid_items) {
        constexpr int width = padded(LANES);
        const int lane = LaneId() % width;
        if constexpr (neutral<Op, T>::known) {
            const T present = lane < valid_items ? input : neutral<Op, T>::value();
            return Reduce(present, op);
        } else {
            T total = input;
            for (int offset = width / 2; offset > 0; offset /= 2) {
                const T other = shuffle_down(total, offset, width);
                if (lane + offset < valid_items) total = op(total, other);
            }
            return total;
        }
    }
    PORTER_D T Sum(T input) { return Reduce(input, cub::Sum()); }
    PORTER_D T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
};

}  // namespace cub
