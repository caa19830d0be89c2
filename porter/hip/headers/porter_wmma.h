// CUDA's wmma for warps of 32 lanes on AMD's wavefronts of 64; added by porter.
//
// A fragment lies in the 32 lanes of one warp, as in CUDA, so that the numbers of warps and all that follows from them
// keep their meaning. Where both warps of a wavefront multiply at once and the shape is one of 16x16x16 (half, bfloat16,
// 8-bit integers), 16x16x8 (tf32) or 8x8x4 (double), the matrix cores do it: see porter_wmma_matrix_cores.h. Elsewhere,
// as in blocks of 32 threads and for 32x8x16 and 8x32x16, the lanes exchange elements and multiply on vector units:
// right, but many times slower. Sums in half are kept in float and rounded once.
//
// The layout of fragments is porter's own; CUDA leaves it open too.
#ifndef PORTER_WMMA_H
#define PORTER_WMMA_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <type_traits>

#include "porter_wmma_matrix_cores.h"

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

namespace detail {

using porter_wmma::Tf32;

template <class T>
struct StoredAs {
  using type = T;
  using Factor = T;
};
template <>
struct StoredAs<precision::tf32> {
  using type = float;
  using Factor = Tf32;
};

// Element `index` of a lane's `count`: where it stands in a matrix whose lines are the rows of A or the columns of B.
// The lane that holds an element and its index there depend on the line and the depth.
template <int Lines, int Depth, class Factor>
struct FactorMap;
// 16 lines: runs along the depth alternate between the lanes below 16 and those above.
template <int Depth, class Factor>
struct FactorMap<16, Depth, Factor> {
  static constexpr int run = std::is_same_v<Factor, Tf32> ? 1 : 4;
  static constexpr int count = Depth / 2;
  __device__ static int line(int lane, int) { return lane % 16; }
  __device__ static int depth(int lane, int index) { return (lane / 16 + index / run * 2) * run + index % run; }
  __device__ static int lane_of(int line, int depth) { return line + depth / run % 2 * 16; }
  __device__ static int index_of(int depth) { return depth / run / 2 * run + depth % run; }
};
// 32 lines: each lane holds one.
template <int Depth, class Factor>
struct FactorMap<32, Depth, Factor> {
  static constexpr int run = Depth;
  static constexpr int count = Depth;
  __device__ static int line(int lane, int) { return lane; }
  __device__ static int depth(int, int index) { return index; }
  __device__ static int lane_of(int line, int) { return line; }
  __device__ static int index_of(int depth) { return depth; }
};
// 8 lines: four lanes share one.
template <int Depth, class Factor>
struct FactorMap<8, Depth, Factor> {
  static constexpr int run = 1;
  static constexpr int count = Depth / 4;
  __device__ static int line(int lane, int) { return lane % 8; }
  __device__ static int depth(int lane, int index) { return lane / 8 + 4 * index; }
  __device__ static int lane_of(int line, int depth) { return line + depth % 4 * 8; }
  __device__ static int index_of(int depth) { return depth / 4; }
};

// Sums: a lane's elements stand in one column, or in one row where there are 32 rows.
template <int Rows, int Columns>
struct SumMap {
  static constexpr int count = Rows * Columns / 32;
  static constexpr bool in_one_row = Rows == 32;
  static constexpr int run = in_one_row ? Columns : Columns == 8 ? 1 : 4;
  __device__ static int row(int lane, int index) {
    if constexpr (in_one_row) return lane;
    constexpr int groups = 32 / Columns;
    return (lane / Columns + index / run * groups) * run + index % run;
  }
  __device__ static int column(int lane, int index) { return in_one_row ? index : lane % Columns; }
};

__device__ inline int lane_in_warp() { return static_cast<int>(__lane_id() % 32u); }

// Orders the memory accesses of the wavefront's lanes, which run in step.
__device__ inline void meet() {
#if defined(__AMDGCN__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#else
  (void)__ballot(1);
#endif
}

// Element `index` without addressing registers, which AMD's compilers would put into memory.
template <int Count, class T>
__device__ inline T element(const T (&from)[Count], int index) {
  T found = from[0];
#pragma unroll
  for (int i = 1; i < Count; ++i) {
    const T other = from[i];
    found = i == index ? other : found;
  }
  return found;
}

}  // namespace detail

template <class Use, int Rows, int Columns, int Depth, class T, class Layout = void>
class fragment;

// Neighbouring elements, `Map::run` of them, stand side by side in a row of the matrix, or else in a column.
#define PORTER_FRAGMENT(use, map, row_of, column_of, in_row)                                                       \
  template <int Rows, int Columns, int Depth, class T, class Layout>                                       \
  class fragment<use, Rows, Columns, Depth, T, Layout> {                                                   \
   public:                                                                                                 \
    using element_type = T;                                                                                \
    using storage_element_type = typename detail::StoredAs<T>::type;                                       \
    using Factor = typename detail::StoredAs<T>::Factor;                                                   \
    using Map = map;                                                                                       \
    static constexpr int num_elements = Map::count, num_storage_elements = Map::count;                     \
    static constexpr bool runs_in_row = in_row;                                                            \
    storage_element_type x[num_elements];                                                                  \
    __device__ static int row(int lane, int i) { return Map::row_of(lane, i); }                            \
    __device__ static int column(int lane, int i) { return Map::column_of(lane, i); }                      \
  };
#define PORTER_MAP_A detail::FactorMap<Rows, Depth, Factor>
#define PORTER_MAP_B detail::FactorMap<Columns, Depth, Factor>
#define PORTER_MAP_SUM detail::SumMap<Rows, Columns>
PORTER_FRAGMENT(matrix_a, PORTER_MAP_A, line, depth, true)
PORTER_FRAGMENT(matrix_b, PORTER_MAP_B, depth, line, false)
PORTER_FRAGMENT(accumulator, PORTER_MAP_SUM, row, column, Map::in_one_row)
#undef PORTER_FRAGMENT
#undef PORTER_MAP_A
#undef PORTER_MAP_B
#undef PORTER_MAP_SUM

template <class Use, int Rows, int Columns, int Depth, class T, class Layout, class Value>
__device__ inline void fill_fragment(fragment<Use, Rows, Columns, Depth, T, Layout>& f, const Value& value) {
  using Stored = typename detail::StoredAs<T>::type;
  for (auto& x : f.x) {
    if constexpr (std::is_arithmetic_v<Value> && !std::is_arithmetic_v<Stored>) {
      x = static_cast<Stored>(static_cast<float>(value));
    } else {
      x = static_cast<Stored>(value);
    }
  }
}

namespace detail {

// Where element `index` of this lane stands. Steps of one stay visible to the compiler, which then joins accesses.
template <class Fragment, class T>
__device__ inline T* place(T* matrix, int index, unsigned stride, bool by_row) {
  const int lane = lane_in_warp(), first = index - index % Fragment::Map::run;
  const size_t row_step = by_row ? stride : 1u, column_step = by_row ? 1u : stride;
  T* const start = matrix + Fragment::row(lane, first) * row_step + Fragment::column(lane, first) * column_step;
  return start + (index - first) * (Fragment::runs_in_row ? column_step : row_step);
}

template <class Fragment, class From>
__device__ inline void load(Fragment& f, const From* from, unsigned stride, bool by_row) {
  meet();
  for (int i = 0; i < Fragment::num_elements; ++i) f.x[i] = *place<Fragment>(from, i, stride, by_row);
}

template <class Fragment, class To>
__device__ inline void store(To* to, const Fragment& f, unsigned stride, bool by_row) {
  for (int i = 0; i < Fragment::num_elements; ++i) *place<Fragment>(to, i, stride, by_row) = f.x[i];
  meet();
}

// Sums of products: 8-bit integers in 64 bits, so that saturation sees what overflowed; 16-bit floats in float.
template <class Sum>
using Wide = std::conditional_t<std::is_same_v<Sum, int>, long long, std::conditional_t<std::is_same_v<Sum, double>, double, float>>;

template <class Factor, class Stored>
__device__ inline auto factor(Stored x) {
  if constexpr (std::is_same_v<Factor, Tf32>) {
    return porter_wmma::cut_to_tf32(x);
  } else if constexpr (std::is_integral_v<Stored>) {
    return static_cast<int>(x);
  } else if constexpr (std::is_same_v<Stored, double>) {
    return x;
  } else {
    return static_cast<float>(x);
  }
}

__device__ inline long long add_product(long long sum, int left, int right) { return sum + left * right; }
__device__ inline float add_product(float sum, float left, float right) { return fmaf(left, right, sum); }
__device__ inline double add_product(double sum, double left, double right) { return fma(left, right, sum); }

// What `satf` asks for: integers at the ends of their range, floats without infinity and NaN.
template <class Sum>
__device__ inline Wide<Sum> saturated(Wide<Sum> sum) {
  if constexpr (std::is_same_v<Sum, int>) {
    constexpr long long most = 0x7fffffffll;
    return sum > most ? most : sum < -most - 1 ? -most - 1 : sum;
  } else {
    const Wide<Sum> most = std::is_same_v<Sum, double> ? Wide<Sum>(1.7976931348623157e308)
                           : std::is_same_v<Sum, float> ? Wide<Sum>(3.402823466e38f)
                                                        : Wide<Sum>(65504.0f);
    return sum != sum ? Wide<Sum>(0) : sum > most ? most : sum < -most ? -most : sum;
  }
}

template <class D, class A, class B, class C>
__device__ inline void multiply_by_lanes(D& d, const A& a, const B& b, const C& c, int depth, bool saturates) {
  using Sum = typename D::storage_element_type;
  const int lane = lane_in_warp();
  Wide<Sum> sums[D::num_elements];
  for (int i = 0; i < D::num_elements; ++i) sums[i] = static_cast<Wide<Sum>>(c.x[i]);
  using Number = decltype(factor<typename A::Factor>(a.x[0]));
  Number lefts[A::num_elements], rights[B::num_elements];
#pragma unroll
  for (int i = 0; i < A::num_elements; ++i) lefts[i] = factor<typename A::Factor>(a.x[i]);
#pragma unroll
  for (int i = 0; i < B::num_elements; ++i) rights[i] = factor<typename B::Factor>(b.x[i]);
#pragma unroll 1
  for (int k = 0; k < depth; ++k) {
    const Number left = element(lefts, A::Map::index_of(k)), right = element(rights, B::Map::index_of(k));
    Number row = __shfl(left, A::Map::lane_of(D::row(lane, 0), k), 32);
    Number column = __shfl(right, B::Map::lane_of(D::column(lane, 0), k), 32);
#pragma unroll
    for (int i = 0; i < D::num_elements; ++i) {
      if (i > 0) {
        if constexpr (D::Map::in_one_row) {
          column = __shfl(right, B::Map::lane_of(D::column(lane, i), k), 32);
        } else {
          row = __shfl(left, A::Map::lane_of(D::row(lane, i), k), 32);
        }
      }
      sums[i] = add_product(sums[i], row, column);
    }
  }
  for (int i = 0; i < D::num_elements; ++i) {
    d.x[i] = static_cast<Sum>(saturates ? saturated<Sum>(sums[i]) : sums[i]);
  }
}

}  // namespace detail

template <class Use, int Rows, int Columns, int Depth, class T, class Layout, class From>
__device__ inline void load_matrix_sync(fragment<Use, Rows, Columns, Depth, T, Layout>& f, const From* from,
                                        unsigned stride) {
  static_assert(!std::is_void_v<Layout>, "a fragment of an accumulator is loaded with a layout");
  detail::load(f, from, stride, std::is_same_v<Layout, row_major>);
}
template <int Rows, int Columns, int Depth, class T, class Layout, class From>
__device__ inline void load_matrix_sync(fragment<accumulator, Rows, Columns, Depth, T, Layout>& f, const From* from,
                                        unsigned stride, layout_t layout) {
  detail::load(f, from, stride, layout == mem_row_major);
}
template <int Rows, int Columns, int Depth, class T, class Layout, class To>
__device__ inline void store_matrix_sync(To* to, const fragment<accumulator, Rows, Columns, Depth, T, Layout>& f,
                                         unsigned stride, layout_t layout) {
  detail::store(to, f, stride, layout == mem_row_major);
}

template <int Rows, int Columns, int Depth, class A, class B, class C, class D, class LayoutA, class LayoutB,
          class LayoutC, class LayoutD>
__device__ inline void mma_sync(fragment<accumulator, Rows, Columns, Depth, D, LayoutD>& d,
                                const fragment<matrix_a, Rows, Columns, Depth, A, LayoutA>& a,
                                const fragment<matrix_b, Rows, Columns, Depth, B, LayoutB>& b,
                                const fragment<accumulator, Rows, Columns, Depth, C, LayoutC>& c,
                                bool saturates = false) {
  using Factor = typename detail::StoredAs<A>::Factor;
  static_assert(std::is_same_v<A, B>, "both factors have one type");
  if constexpr (porter_wmma::has_matrix_cores<Factor, Rows, Columns, Depth>) {
    // A matrix instruction reads and writes the registers of all 64 lanes, whether they are active or not.
    if (!saturates && __ballot(1) == ~0ull) {
      porter_wmma::multiply<Factor>(d.x, a.x, b.x, c.x);
      return;
    }
  }
  detail::multiply_by_lanes(d, a, b, c, Depth, saturates);
}

// To nearest, ties away from zero.
__device__ inline float __float_to_tf32(float x) {
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7f800000u) == 0x7f800000u) return bits & 0x7fffffu ? __uint_as_float(0x7fffffffu) : x;
  return __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda

#endif
