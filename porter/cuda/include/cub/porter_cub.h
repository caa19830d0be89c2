// CUB's primitives for blocks and warps, as plain device code: shuffles inside a warp, one slot a warp in shared
// memory between them.
//
// The memory belongs to the primitive, so TempStorage holds nothing. A barrier comes before each use of the
// memory: two calls may then share it, whatever storage the program hands them.
#pragma once
#include "cuda_runtime.h"
#include "porter_std.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"

namespace cub {

struct Sum { template <class T, class U> PORTER_HD constexpr auto operator()(T a, U b) const { return a + b; } };
// With a NaN CUB's result depends on the order of the operands, which it leaves open; here the numbers win.
struct Max {
    template <class T> PORTER_HD constexpr T operator()(T a, T b) const {
        if constexpr (std::is_floating_point<T>::value) return fmax(a, b);
        else return a < b ? b : a;
    }
};
struct Min {
    template <class T> PORTER_HD constexpr T operator()(T a, T b) const {
        if constexpr (std::is_floating_point<T>::value) return fmin(a, b);
        else return b < a ? b : a;
    }
};
struct Equality { template <class T, class U> PORTER_HD constexpr bool operator()(T a, U b) const { return a == b; } };
struct Inequality { template <class T, class U> PORTER_HD constexpr bool operator()(T a, U b) const { return a != b; } };
struct Difference { template <class T, class U> PORTER_HD constexpr auto operator()(T a, U b) const { return a - b; } };
struct Division { template <class T, class U> PORTER_HD constexpr auto operator()(T a, U b) const { return a / b; } };

// The operand that changes nothing, where it is known; a missing thread then counts as one that has it.
template <class Op, class T> struct neutral { static constexpr bool known = false; };
template <class T> struct neutral<Sum, T> {
    static constexpr bool known = true;
    PORTER_HD static constexpr T value() { return T(0); }
};
template <class T> struct neutral<Max, T> {
    static constexpr bool known = std::is_arithmetic<T>::value;
    PORTER_HD static constexpr T value() {
        if constexpr (std::is_floating_point<T>::value) return -std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::lowest();
    }
};
template <class T> struct neutral<Min, T> {
    static constexpr bool known = std::is_arithmetic<T>::value;
    PORTER_HD static constexpr T value() {
        if constexpr (std::is_floating_point<T>::value) return std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::max();
    }
};

PORTER_D inline unsigned int LaneId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}
PORTER_D inline unsigned int WarpId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> 5;
}
PORTER_D inline int RowMajorTid(int x, int y, int z) { return threadIdx.x + x * (threadIdx.y + y * threadIdx.z); }

// The number of a thread in a block of this shape.
template <int X, int Y, int Z> PORTER_D inline int thread_number() {
    if constexpr (Y == 1 && Z == 1) return threadIdx.x;
    else return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
}
constexpr int padded(int lanes) { return lanes <= 1 ? 1 : lanes <= 2 ? 2 : lanes <= 4 ? 4 : lanes <= 8 ? 8 : lanes <= 16 ? 16 : 32; }

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier Modifier, class T> PORTER_D inline T ThreadLoad(const T* from) { return *from; }
template <CacheStoreModifier Modifier, class T> PORTER_D inline void ThreadStore(T* to, T value) { *to = value; }

template <int N, class T, class Op> PORTER_D inline T ThreadReduce(const T (&items)[N], Op op) {
    T total = items[0];
    for (int k = 1; k < N; k++) total = op(total, items[k]);
    return total;
}

template <class T, class U = T> struct KeyValuePair {
    T key;
    U value;
    KeyValuePair() = default;
    PORTER_HD constexpr KeyValuePair(T k, U v) : key(k), value(v) {}
};
// Of equal values the one with the smaller key.
struct ArgMax {
    template <class T, class U>
    PORTER_HD constexpr KeyValuePair<T, U> operator()(KeyValuePair<T, U> a, KeyValuePair<T, U> b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class T, class U>
    PORTER_HD constexpr KeyValuePair<T, U> operator()(KeyValuePair<T, U> a, KeyValuePair<T, U> b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

// A value of the lane `offset` further on; of a pair its parts.
template <class T> PORTER_D inline T shuffle_down(T value, int offset, int width = 32) {
    return __shfl_down_sync(0xffffffffu, value, offset, width);
}
template <class T, class U>
PORTER_D inline KeyValuePair<T, U> shuffle_down(KeyValuePair<T, U> pair, int offset, int width = 32) {
    return KeyValuePair<T, U>(__shfl_down_sync(0xffffffffu, pair.key, offset, width),
                              __shfl_down_sync(0xffffffffu, pair.value, offset, width));
}

}  // namespace cub
