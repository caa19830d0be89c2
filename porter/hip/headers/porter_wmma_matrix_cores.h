// Products of the fragments in porter_wmma.h on the matrix cores of gfx90a, gfx942 and gfx950; added by porter.
//
// Both warps of a wavefront multiply at once, each its own matrices. A matrix instruction takes one product's operands
// from all 64 lanes: so the halves of the wavefront swap half of their elements, two instructions make the two products,
// and the halves swap back. The layouts are those of AMD's matrix instruction calculator: lanes go along the lines,
// groups of 16 lanes along the depth; a sum of 16 x 16 has a column a lane and four rows a group.
#ifndef PORTER_WMMA_MATRIX_CORES_H
#define PORTER_WMMA_MATRIX_CORES_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <type_traits>

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || (defined(PORTER_SIM_HIP) && PORTER_SIM_LANES == 64)
#define PORTER_MATRIX_CORES 1
#else
#define PORTER_MATRIX_CORES 0
#endif

namespace porter_wmma {

struct Tf32;

__device__ inline float cut_to_tf32(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

#if PORTER_MATRIX_CORES

#if defined(__gfx90a__)
inline constexpr bool has_deep_integers = false;
#else
inline constexpr bool has_deep_integers = true;
#endif

template <class Factor>
inline constexpr bool is_short = std::is_same_v<Factor, __half> || std::is_same_v<Factor, __hip_bfloat16>;
template <class Factor>
inline constexpr bool is_byte = std::is_same_v<Factor, signed char> || std::is_same_v<Factor, unsigned char>;

template <class Factor, int Rows, int Columns, int Depth>
inline constexpr bool has_matrix_cores =
    (Rows == 16 && Columns == 16 && Depth == 16 && (is_short<Factor> || (is_byte<Factor> && has_deep_integers))) ||
    (Rows == 16 && Columns == 16 && Depth == 8 && std::is_same_v<Factor, Tf32>) ||
    (Rows == 8 && Columns == 8 && Depth == 4 && std::is_same_v<Factor, double>);

// What the instructions take and give.
#if defined(__AMDGCN__)
typedef _Float16 Halves __attribute__((ext_vector_type(4)));
typedef short Bfloats __attribute__((ext_vector_type(4)));
typedef float Floats __attribute__((ext_vector_type(4)));
typedef int Ints __attribute__((ext_vector_type(4)));
typedef double Doubles __attribute__((ext_vector_type(4)));
#else
template <class T>
struct Four {
  T values[4];
  T& operator[](int i) { return values[i]; }
  const T& operator[](int i) const { return values[i]; }
};
using Halves = Four<__half>;
using Bfloats = Four<__hip_bfloat16>;
using Floats = Four<float>;
using Ints = Four<int>;
using Doubles = Four<double>;
#endif

// Swaps the upper half's `first` with the lower half's `second`; doing it twice changes nothing.
__device__ inline void swap_halves(unsigned& first, unsigned& second) {
#if defined(__gfx950__)
  const auto swapped = __builtin_amdgcn_permlane32_swap(first, second, false, false);
  first = swapped[0];
  second = swapped[1];
#else
  const bool is_lower = __lane_id() < 32;
  const unsigned theirs = __shfl_xor(is_lower ? second : first, 32, 64);
  if (is_lower) {
    second = theirs;
  } else {
    first = theirs;
  }
#endif
}

// The operands of both products from a lane's two runs, and the runs again from the operands.
template <class T>
__device__ inline void swap_halves(T& first, T& second) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0, "registers have 32 bits");
  constexpr int words = sizeof(T) / sizeof(unsigned);
  unsigned left[words], right[words];
  __builtin_memcpy(left, &first, sizeof(T));
  __builtin_memcpy(right, &second, sizeof(T));
  for (int i = 0; i < words; ++i) swap_halves(left[i], right[i]);
  __builtin_memcpy(&first, left, sizeof(T));
  __builtin_memcpy(&second, right, sizeof(T));
}

// Two runs of a fragment as operands.
template <class Operand, class T>
__device__ inline void take(const T* x, Operand& lower, Operand& upper) {
  constexpr int run = sizeof(Operand) / sizeof(T);
  __builtin_memcpy(&lower, x, sizeof(Operand));
  __builtin_memcpy(&upper, x + run, sizeof(Operand));
  swap_halves(lower, upper);
}
template <class Sums, class T>
__device__ inline void take_sums(const T (&c)[8], Sums& lower, Sums& upper) {
  using Number = std::conditional_t<std::is_same_v<T, int>, int, float>;
  for (int i = 0; i < 4; ++i) {
    lower[i] = static_cast<Number>(c[i]);
    upper[i] = static_cast<Number>(c[4 + i]);
  }
  swap_halves(lower, upper);
}
template <class Sums, class T>
__device__ inline void give_sums(T (&d)[8], Sums lower, Sums upper) {
  using Number = std::conditional_t<std::is_same_v<T, int>, int, float>;
  swap_halves(lower, upper);
  for (int i = 0; i < 4; ++i) {
    d[i] = static_cast<T>(static_cast<Number>(lower[i]));
    d[4 + i] = static_cast<T>(static_cast<Number>(upper[i]));
  }
}

__device__ inline Floats product(Halves a, Halves b, Floats c) {
  return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}
__device__ inline Floats product(Bfloats a, Bfloats b, Floats c) {
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
}

template <class Operand, class D, class T, class C>
__device__ inline void multiply_shorts(D (&d)[8], const T* a, const T* b, const C (&c)[8]) {
  Operand lower_a, upper_a, lower_b, upper_b;
  Floats lower, upper;
  take(a, lower_a, upper_a);
  take(b, lower_b, upper_b);
  take_sums(c, lower, upper);
  give_sums(d, product(lower_a, lower_b, lower), product(upper_a, upper_b, upper));
}

// Two instructions of depth 4 a product. Factors of ten bits have exact products in float.
template <class D, class C>
__device__ inline void multiply_tf32(D (&d)[8], const float (&a)[4], const float (&b)[4], const C (&c)[8]) {
  Floats lower, upper;
  take_sums(c, lower, upper);
  for (int step = 0; step < 2; ++step) {
    float lower_a = cut_to_tf32(a[2 * step]), upper_a = cut_to_tf32(a[2 * step + 1]);
    float lower_b = cut_to_tf32(b[2 * step]), upper_b = cut_to_tf32(b[2 * step + 1]);
    swap_halves(lower_a, upper_a);
    swap_halves(lower_b, upper_b);
    lower = __builtin_amdgcn_mfma_f32_16x16x4f32(lower_a, lower_b, lower, 0, 0, 0);
    upper = __builtin_amdgcn_mfma_f32_16x16x4f32(upper_a, upper_b, upper, 0, 0, 0);
  }
  give_sums(d, lower, upper);
}

// The instruction is twice as deep as the product: the other warp's lanes take part with zeros.
__device__ inline Ints integer_product(bool takes_part, long a, long b, Ints c) {
  return __builtin_amdgcn_mfma_i32_16x16x32_i8(takes_part ? a : 0l, takes_part ? b : 0l, c, 0, 0, 0);
}

// The cores multiply signed bytes. With a = a' + 128 and b = b' + 128, a b = a' b' + 128 a' + 128 b' + 128 * 128.
template <bool IsUnsigned>
__device__ inline Ints byte_product(bool takes_part, long a, long b, Ints c) {
  if constexpr (!IsUnsigned) {
    return integer_product(takes_part, a, b, c);
  } else {
    constexpr long sign = 0x8080808080808080l;  // in each byte the sign bit, which is also -128
    const long left = a ^ sign, right = b ^ sign;
    Ints less = {0, 0, 0, 0};
    less = integer_product(takes_part, left, sign, less);
    less = integer_product(takes_part, sign, right, less);
    Ints sum = integer_product(takes_part, left, right, c);
    for (int i = 0; i < 4; ++i) {
      sum[i] = int(unsigned(sum[i]) - unsigned(less[i]) + 16u * 128u * 128u);
    }
    return sum;
  }
}

template <bool IsUnsigned, class T>
__device__ inline void multiply_bytes(int (&d)[8], const T (&a)[8], const T (&b)[8], const int (&c)[8]) {
  long left, right;
  __builtin_memcpy(&left, a, sizeof left);
  __builtin_memcpy(&right, b, sizeof right);
  Ints lower, upper;
  take_sums(c, lower, upper);
  const bool is_lower = __lane_id() < 32;
  give_sums(d, byte_product<IsUnsigned>(is_lower, left, right, lower),
            byte_product<IsUnsigned>(!is_lower, left, right, upper));
}

// Both warps' 8 x 8 products are blocks on the diagonal of one of 16 x 16; in double, lane groups go down the rows.
__device__ inline void multiply_doubles(double (&d)[2], const double (&a)[1], const double (&b)[1],
                                        const double (&c)[2]) {
  const int lane = static_cast<int>(__lane_id());
  const int line = lane % 8, upper = lane % 16 / 8, group = lane / 16;
  const int holder = 32 * upper + line + 8 * group;
  const double left = __shfl(a[0], holder, 64), right = __shfl(b[0], holder, 64);
  const double first = __shfl(c[0], holder, 64), second = __shfl(c[1], holder, 64);
  Doubles sum;
  sum[0] = upper ? 0.0 : first;
  sum[1] = upper ? 0.0 : second;
  sum[2] = upper ? first : 0.0;
  sum[3] = upper ? second : 0.0;
  sum = __builtin_amdgcn_mfma_f64_16x16x4f64(left, right, sum, 0, 0, 0);
  const int there = 16 * (lane % 32 / 8) + 8 * (lane / 32) + line;
  const double mine[2] = {upper ? sum[2] : sum[0], upper ? sum[3] : sum[1]};
  d[0] = __shfl(mine[0], there, 64);
  d[1] = __shfl(mine[1], there, 64);
}

template <class Factor, class D, class A, class B, class C>
__device__ inline void multiply(D& d, const A& a, const B& b, const C& c) {
  if constexpr (std::is_same_v<Factor, __half>) {
    multiply_shorts<Halves>(d, a, b, c);
  } else if constexpr (std::is_same_v<Factor, __hip_bfloat16>) {
    multiply_shorts<Bfloats>(d, a, b, c);
  } else if constexpr (std::is_same_v<Factor, Tf32>) {
    multiply_tf32(d, a, b, c);
  } else if constexpr (std::is_same_v<Factor, double>) {
    multiply_doubles(d, a, b, c);
  } else {
    multiply_bytes<std::is_same_v<Factor, unsigned char>>(d, a, b, c);
  }
}

#else

template <class Factor, int Rows, int Columns, int Depth>
inline constexpr bool has_matrix_cores = false;

template <class Factor, class D, class A, class B, class C>
__device__ inline void multiply(D& d, const A& a, const B& b, const C& c);

#endif

}  // namespace porter_wmma

#endif
