// rocWMMA, over the simulator: fragments of a wavefront of 64 lanes in the layouts of the MFMA instructions.
#pragma once
#pragma GCC system_header
#include "hip/hip_bf16.h"
#include "hip/hip_fp16.h"
#include "porter_sim/matrix_map.h"

namespace rocwmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
using float16_t = __half;
using hfloat16_t = __half;
using bfloat16_t = __hip_bfloat16;
using float32_t = float;
using float64_t = double;
using int8_t = ::int8_t;
using int32_t = ::int32_t;

template <class T, class Held>
auto multiplied(Held x) {
  if constexpr (std::is_integral_v<Held>) {
    return int(x);
  } else {
    return double(x);
  }
}

template <class Use, int M, int N, int K, class T>
struct fragment_traits;
template <int M, int N, int K, class T>
struct fragment_traits<matrix_a, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 64, "rocWMMA is simulated for wavefronts of 64 lanes");
  using Stored = T;
  using Map = ::porter_sim::WavefrontMap<M, K, 4, false>;
  static constexpr int rows = M, columns = K, elements = int(Map::count);
};
template <int M, int N, int K, class T>
struct fragment_traits<matrix_b, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 64, "rocWMMA is simulated for wavefronts of 64 lanes");
  using Stored = T;
  using Map = ::porter_sim::WavefrontMap<N, K, 4, true>;
  static constexpr int rows = K, columns = N, elements = int(Map::count);
};
template <int M, int N, int K, class T>
struct fragment_traits<accumulator, M, N, K, T> {
  static_assert(PORTER_SIM_LANES == 64, "rocWMMA is simulated for wavefronts of 64 lanes");
  using Stored = T;
  using Map = ::porter_sim::WavefrontMap<N, M, sizeof(T) == 8 ? 1 : 4, true>;
  static constexpr int rows = M, columns = N, elements = int(Map::count);
};

#include "porter_sim/matrix_fragments.h"

inline void synchronize_workgroup(PORTER_HERE) {
  ::porter_sim::block_barrier(::porter_sim::Vote::none, 0, porter_file, porter_line);
}

}  // namespace rocwmma
