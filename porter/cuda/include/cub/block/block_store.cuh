#pragma once
#include "../porter_cub.h"
namespace cub {

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int N, class To> PORTER_D inline void StoreDirectBlocked(int thread, To to, T (&items)[N]) {
    for (int k = 0; k < N; k++) to[thread * N + k] = items[k];
}
template <class T, int N, class To>
PORTER_D inline void StoreDirectBlocked(int thread, To to, T (&items)[N], int valid_items) {
    for (int k = 0; k < N; k++)
        if (thread * N + k < valid_items) to[thread * N + k] = items[k];
}
template <int THREADS, class T, int N, class To>
PORTER_D inline void StoreDirectStriped(int thread, To to, T (&items)[N]) {
    for (int k = 0; k < N; k++) to[thread + k * THREADS] = items[k];
}
template <int THREADS, class T, int N, class To>
PORTER_D inline void StoreDirectStriped(int thread, To to, T (&items)[N], int valid_items) {
    for (int k = 0; k < N; k++)
        if (thread + k * THREADS < valid_items) to[thread + k * THREADS] = items[k];
}

template <class T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockStore {
    static constexpr bool striped = ALGORITHM == BLOCK_STORE_STRIPED;

  public:
    struct TempStorage {};
    PORTER_D BlockStore() {}
    PORTER_D BlockStore(TempStorage&) {}

    template <class To> PORTER_D void Store(To to, T (&items)[N]) {
        const int thread = thread_number<X, Y, Z>();
        if constexpr (striped) StoreDirectStriped<X * Y * Z>(thread, to, items);
        else StoreDirectBlocked(thread, to, items);
    }
    template <class To> PORTER_D void Store(To to, T (&items)[N], int valid_items) {
        const int thread = thread_number<X, Y, Z>();
        if constexpr (striped) StoreDirectStriped<X * Y * Z>(thread, to, items, valid_items);
        else StoreDirectBlocked(thread, to, items, valid_items);
    }
};

}  // namespace cub
