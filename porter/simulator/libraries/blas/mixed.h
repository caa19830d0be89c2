// Matrix products whose types are arguments (GemmEx and its like). Factors are taken to the type of the
// computation exactly, products are summed there, and each result is rounded once.
#pragma once

#include <vector>

#include "blas/level3.h"
#include "elements.h"

namespace porter_sim::blas {

enum class Compute { half, single_precision, double_precision, integer };

struct Types {
  Element a, b, c;
  Compute compute;
};

struct Factor {
  const void *data;
  int stride;
};

inline void product(int m, int n, int k, const int32_t *a, const int32_t *b, int32_t *out) {
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t p = 0; p < k; ++p) {
      uint32_t factor = uint32_t(b[p + j * k]);
      for (int64_t i = 0; i < m; ++i) out[i + j * m] = int32_t(uint32_t(out[i + j * m]) + uint32_t(a[i + p * m]) * factor);
    }
  }
}
template <class W>
void product(int m, int n, int k, const W *a, const W *b, W *out) {
  cblas::gemm(CblasNoTrans, CblasNoTrans, m, n, k, W(1), a, std::max(m, 1), b, std::max(k, 1), W(0), out, std::max(m, 1));
}

// op(factor), rows × columns and dense, in the type of the computation.
template <class W>
std::vector<W> operand(const BlasCall &call, Transpose t, int64_t rows, int64_t columns, Element type, Factor factor) {
  std::vector<W> out(size_t(rows * columns));
  Works<W>::with(type, [&](auto is) {
    auto *data = static_cast<const typename decltype(is)::type *>(factor.data);
    call.reach_matrix(data, plain(t) ? rows : columns, plain(t) ? columns : rows, factor.stride);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        int64_t at = plain(t) ? i + j * factor.stride : j + i * factor.stride;
        W value = W(value_of(data[at]));
        if constexpr (!std::is_arithmetic_v<W>) value = t == CblasConjTrans ? std::conj(value) : value;
        out[size_t(i + j * rows)] = value;
      }
    }
  });
  return out;
}

// alpha · op(A) · op(B), dense, not yet rounded to the result's type.
template <class W>
std::vector<W> scaled_product(const BlasCall &call, const Shape &s, Element type_a, Factor A, Element type_b, Factor B,
                              W alpha) {
  std::vector<W> out(size_t(s.m) * size_t(s.n));
  if (alpha == W(0) || s.k == 0) return out;
  std::vector<W> a = operand<W>(call, s.ta, s.m, s.k, type_a, A), b = operand<W>(call, s.tb, s.k, s.n, type_b, B);
  product(s.m, s.n, s.k, a.data(), b.data(), out.data());
  for (W &value : out) value = alpha * value;
  return out;
}

template <class W, class S>
void mixed_product(const BlasCall &call, const Shape &s, const Types &types, const void *alpha, Factor A, Factor B,
                   const void *beta, void *C, int ldc) {
  W a = W(value_of(call.scalar(static_cast<const S *>(alpha))));
  W b = W(value_of(call.scalar(static_cast<const S *>(beta))));
  if (s.empty()) return;
  Works<W>::with(types.c, [&](auto is) {
    using Stored = typename decltype(is)::type;
    auto *out = static_cast<Stored *>(C);
    call.reach_matrix(out, s.m, s.n, ldc);
    std::vector<W> sum = scaled_product<W>(call, s, types.a, A, types.b, B, a);
    for (int64_t j = 0; j < s.n; ++j) {
      for (int64_t i = 0; i < s.m; ++i) {
        W value = sum[size_t(i + j * s.m)];
        if (b != W(0)) value += b * W(value_of(out[i + j * ldc]));
        out[i + j * ldc] = Rounded<Stored>::from(value);
      }
    }
  });
}

// The combinations that cuBLAS's documentation lists for single precision (A and B are of one type).
inline bool is_single_combination(Element ab, Element c) {
  switch (ab) {
    case Element::R_16BF:
    case Element::R_16F: return c == ab || c == Element::R_32F;
    case Element::R_8I:
    case Element::R_32F: return c == Element::R_32F;
    default: return false;
  }
}

inline void typed_product(const BlasCall &call, const Shape &s, const Types &t, const void *alpha, Factor A, Factor B,
                          const void *beta, void *C, int ldc) {
  constexpr Code no = Code::not_supported;
  require(t.a == t.b, no);
  bool same = t.a == t.c;
  switch (t.compute) {
    case Compute::half:
      require(same && t.a == Element::R_16F, no);
      return mixed_product<float, Half>(call, s, t, alpha, A, B, beta, C, ldc);
    case Compute::integer:
      require(t.a == Element::R_8I && t.c == Element::R_32I, no);
      require(A.stride % 4 == 0 && B.stride % 4 == 0 && uintptr_t(A.data) % 4 == 0 && uintptr_t(B.data) % 4 == 0, no);
      return mixed_product<int32_t, int32_t>(call, s, t, alpha, A, B, beta, C, ldc);
    case Compute::double_precision:
      require(same && (t.a == Element::R_64F || t.a == Element::C_64F), no);
      if (t.a == Element::R_64F) return mixed_product<double, double>(call, s, t, alpha, A, B, beta, C, ldc);
      return mixed_product<std::complex<double>, std::complex<double>>(call, s, t, alpha, A, B, beta, C, ldc);
    case Compute::single_precision:
      if (same && t.a == Element::C_32F) {
        return mixed_product<std::complex<single>, std::complex<single>>(call, s, t, alpha, A, B, beta, C, ldc);
      }
      require(is_single_combination(t.a, t.c), no);
      return mixed_product<single, single>(call, s, t, alpha, A, B, beta, C, ldc);
  }
}

inline const void *advanced(const void *base, Element type, long long elements) {
  return static_cast<const char *>(base) + elements * int64_t(element_bytes(type));
}

template <class Algorithm>
void gemm_ex(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha, const void *A,
             Element type_a, int lda, const void *B, Element type_b, int ldb, const void *beta, void *C, Element type_c,
             int ldc, Compute compute, Algorithm) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  typed_product(call, shape, {type_a, type_b, type_c, compute}, alpha, {A, lda}, {B, ldb}, beta, C, ldc);
}

template <class Algorithm>
void gemm_strided_ex(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha,
                     const void *A, Element type_a, int lda, long long stride_a, const void *B, Element type_b, int ldb,
                     long long stride_b, const void *beta, void *C, Element type_c, int ldc, long long stride_c,
                     int batch, Compute compute, Algorithm) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  require(batch >= 0);
  Types types{type_a, type_b, type_c, compute};
  for (int i = 0; i < batch; ++i) {
    Factor a{advanced(A, type_a, i * stride_a), lda}, b{advanced(B, type_b, i * stride_b), ldb};
    typed_product(call, shape, types, alpha, a, b, beta, const_cast<void *>(advanced(C, type_c, i * stride_c)), ldc);
  }
}

template <class Algorithm>
void gemm_batched_ex(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha,
                     const void *const *A, Element type_a, int lda, const void *const *B, Element type_b, int ldb,
                     const void *beta, void *const *C, Element type_c, int ldc, int batch, Compute compute, Algorithm) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  require(batch >= 0);
  call.reach(A, size_t(batch)), call.reach(B, size_t(batch)), call.reach(C, size_t(batch));
  Types types{type_a, type_b, type_c, compute};
  for (int i = 0; i < batch; ++i) {
    typed_product(call, shape, types, alpha, {A[i], lda}, {B[i], ldb}, beta, C[i], ldc);
  }
}

// Hgemm: everything is half; sgemm_ex: single scalars and computation, the matrices' types are arguments.
inline void hgemm(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha, const void *A,
                  int lda, const void *B, int ldb, const void *beta, void *C, int ldc) {
  constexpr Element half = Element::R_16F;
  gemm_ex(call, ta, tb, m, n, k, alpha, A, half, lda, B, half, ldb, beta, C, half, ldc, Compute::half, 0);
}
inline void hgemm_strided(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha,
                          const void *A, int lda, long long stride_a, const void *B, int ldb, long long stride_b,
                          const void *beta, void *C, int ldc, long long stride_c, int batch) {
  constexpr Element half = Element::R_16F;
  gemm_strided_ex(call, ta, tb, m, n, k, alpha, A, half, lda, stride_a, B, half, ldb, stride_b, beta, C, half, ldc,
                  stride_c, batch, Compute::half, 0);
}
inline void hgemm_batched(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const void *alpha,
                          const void *const *A, int lda, const void *const *B, int ldb, const void *beta, void *const *C,
                          int ldc, int batch) {
  constexpr Element half = Element::R_16F;
  gemm_batched_ex(call, ta, tb, m, n, k, alpha, A, half, lda, B, half, ldb, beta, C, half, ldc, batch, Compute::half, 0);
}
inline void sgemm_ex(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const single *alpha,
                     const void *A, Element type_a, int lda, const void *B, Element type_b, int ldb, const single *beta,
                     void *C, Element type_c, int ldc) {
  gemm_ex(call, ta, tb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c, ldc, Compute::single_precision,
          0);
}

}  // namespace porter_sim::blas
