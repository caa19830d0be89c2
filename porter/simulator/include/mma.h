// CUDA's WMMA, over the simulator.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "porter_sim/matrix_map.h"
#include "porter_sim/tf32.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

// tf32 is stored as float; only its upper 19 bits are multiplied.
template <class T>
struct stored_as {
  using type = T;
};
template <>
struct stored_as<precision::tf32> {
  using type = float;
};
template <class T, class Held>
auto multiplied(Held x) {
  if constexpr (std::is_same_v<T, precision::tf32>) {
    return ::porter_sim::cut_to_tf32(x);
  } else if constexpr (std::is_integral_v<Held>) {
    return int(x);
  } else {
    return double(x);
  }
}
template <class T>
inline constexpr unsigned packed = std::is_same_v<T, precision::tf32> || std::is_same_v<T, double> ? 1 : sizeof(typename stored_as<T>::type) == 1 ? 4 : 2;

// A fragment of half has 16 elements whatever its shape: some are there several times.
template <class T, class Map>
inline constexpr int length = std::is_same_v<T, __half> ? 16 : int(Map::count);

// 8 x 32 is worked out as the transpose of 32 x 8: so its fragments lie on an H200.
template <int M, int N>
inline constexpr bool is_swapped = M == 8 && N == 32;

template <class Use, int M, int N, int K, class T>
struct fragment_traits;
template <int M, int N, int K, class T>
struct fragment_traits<matrix_a, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 32, "WMMA needs a warp of 32 lanes");
  using Stored = typename stored_as<T>::type;
  using Map = ::porter_sim::WarpMap<M, K, packed<T>, ::porter_sim::Walk::rows_first, false>;
  static constexpr int rows = M, columns = K, elements = length<T, Map>;
};
template <int M, int N, int K, class T>
struct fragment_traits<matrix_b, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 32, "WMMA needs a warp of 32 lanes");
  using Stored = typename stored_as<T>::type;
  using Map = ::porter_sim::WarpMap<N, K, packed<T>, is_swapped<M, N> ? ::porter_sim::Walk::rows_first : ::porter_sim::Walk::columns_first, true>;
  static constexpr int rows = K, columns = N, elements = length<T, Map>;
};
template <int M, int N, int K, class T>
struct fragment_traits<accumulator, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 32, "WMMA needs a warp of 32 lanes");
  using Stored = T;
  using Map = std::conditional_t<is_swapped<M, N>, ::porter_sim::WarpMap<N, M, 2, ::porter_sim::Walk::rows_first, true>,
                                 ::porter_sim::WarpMap<M, N, 2, ::porter_sim::Walk::rows_first, false>>;
  static constexpr int rows = M, columns = N, elements = int(Map::count);
};

#include "porter_sim/matrix_fragments.h"

inline float __float_to_tf32(float x) { return ::porter_sim::round_to_tf32(x); }

}  // namespace wmma
}  // namespace nvcuda
