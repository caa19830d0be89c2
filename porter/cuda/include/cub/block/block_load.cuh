#pragma once
#include "../porter_cub.h"
namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int N, class From> PORTER_D inline void LoadDirectBlocked(int thread, From from, T (&items)[N]) {
    for (int k = 0; k < N; k++) items[k] = from[thread * N + k];
}
template <class T, int N, class From>
PORTER_D inline void LoadDirectBlocked(int thread, From from, T (&items)[N], int block_items_end) {
    for (int k = 0; k < N; k++)
        if (thread * N + k < block_items_end) items[k] = from[thread * N + k];
}
template <class T, int N, class From, class Default>
PORTER_D inline void LoadDirectBlocked(int thread, From from, T (&items)[N], int block_items_end, Default other) {
    for (int k = 0; k < N; k++)
        items[k] = thread * N + k < block_items_end ? (T)from[thread * N + k] : (T)other;
}
template <int THREADS, class T, int N, class From>
PORTER_D inline void LoadDirectStriped(int thread, From from, T (&items)[N]) {
    for (int k = 0; k < N; k++) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class T, int N, class From>
PORTER_D inline void LoadDirectStriped(int thread, From from, T (&items)[N], int block_items_end) {
    for (int k = 0; k < N; k++)
        if (thread + k * THREADS < block_items_end) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class T, int N, class From, class Default>
PORTER_D inline void LoadDirectStriped(int thread, From from, T (&items)[N], int block_items_end, Default other) {
    for (int k = 0; k < N; k++)
        items[k] = thread + k * THREADS < block_items_end ? (T)from[thread + k * THREADS] : (T)other;
}

// How the elements travel to the threads is nothing that a tile says; which thread has which element is.
template <class T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockLoad {
    static constexpr bool striped = ALGORITHM == BLOCK_LOAD_STRIPED;

  public:
    struct TempStorage {};
    PORTER_D BlockLoad() {}
    PORTER_D BlockLoad(TempStorage&) {}

    template <class From> PORTER_D void Load(From from, T (&items)[N]) {
        const int thread = thread_number<X, Y, Z>();
        if constexpr (striped) LoadDirectStriped<X * Y * Z>(thread, from, items);
        else LoadDirectBlocked(thread, from, items);
    }
    template <class From> PORTER_D void Load(From from, T (&items)[N], int block_items_end) {
        const int thread = thread_number<X, Y, Z>();
        if constexpr (striped) LoadDirectStriped<X * Y * Z>(thread, from, items, block_items_end);
        else LoadDirectBlocked(thread, from, items, block_items_end);
    }
    template <class From, class Default>
    PORTER_D void Load(From from, T (&items)[N], int block_items_end, Default other) {
        const int thread = thread_number<X, Y, Z>();
        if constexpr (striped) LoadDirectStriped<X * Y * Z>(thread, from, items, block_items_end, other);
        else LoadDirectBlocked(thread, from, items, block_items_end, other);
    }
};

}  // namespace cub
