// Matrices and matrices.
#pragma once

#include "blas/level2.h"
#include "blas/level3_calls.h"

namespace porter_sim::blas {

inline bool plain(Transpose t) { return t == CblasNoTrans; }

struct Shape {
  Transpose ta, tb;
  int m, n, k;

  void check(int lda, int ldb, int ldc) const {
    require(m >= 0 && n >= 0 && k >= 0);
    require_stride(lda, plain(ta) ? m : k);
    require_stride(ldb, plain(tb) ? k : n);
    require_stride(ldc, m);
  }
  bool empty() const { return m == 0 || n == 0; }
};

// One product; the shape was checked. A factor is not read when alpha is zero.
template <class T>
void multiply(const BlasCall &call, const Shape &s, T a, const T *A, int lda, const T *B, int ldb, T b, T *C, int ldc) {
  if (s.empty()) return;
  if (a != T(0)) {
    call.reach_matrix(A, plain(s.ta) ? s.m : s.k, plain(s.ta) ? s.k : s.m, lda);
    call.reach_matrix(B, plain(s.tb) ? s.k : s.n, plain(s.tb) ? s.n : s.k, ldb);
  }
  call.reach_matrix(C, s.m, s.n, ldc);
  cblas::gemm(s.ta, s.tb, s.m, s.n, s.k, a, A, lda, B, ldb, b, C, ldc);
}

template <class T>
void gemm(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const T *alpha, const T *A, int lda,
          const T *B, int ldb, const T *beta, T *C, int ldc) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  multiply(call, shape, call.scalar(alpha), A, lda, B, ldb, call.scalar(beta), C, ldc);
}

template <class T>
void gemm_strided(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const T *alpha, const T *A,
                  int lda, long long stride_a, const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc,
                  long long stride_c, int batch) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  require(batch >= 0);
  T a = call.scalar(alpha), b = call.scalar(beta);
  for (int i = 0; i < batch; ++i) {
    multiply(call, shape, a, A + i * stride_a, lda, B + i * stride_b, ldb, b, C + i * stride_c, ldc);
  }
}

// The arrays of pointers are in device memory too.
template <class T>
void gemm_batched(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, int k, const T *alpha,
                  const T *const *A, int lda, const T *const *B, int ldb, const T *beta, T *const *C, int ldc,
                  int batch) {
  Shape shape{ta, tb, m, n, k};
  shape.check(lda, ldb, ldc);
  require(batch >= 0);
  T a = call.scalar(alpha), b = call.scalar(beta);
  call.reach(A, size_t(batch)), call.reach(B, size_t(batch)), call.reach(C, size_t(batch));
  for (int i = 0; i < batch; ++i) multiply(call, shape, a, A[i], lda, B[i], ldb, b, C[i], ldc);
}

#define PORTER_SYMM(name)                                                                                              \
  template <class T>                                                                                                   \
  void name(const BlasCall &call, Side side, Fill uplo, int m, int n, const T *alpha, const T *A, int lda, const T *B, \
            int ldb, const T *beta, T *C, int ldc) {                                                                   \
    require(m >= 0 && n >= 0);                                                                                         \
    int order = side == CblasLeft ? m : n;                                                                             \
    require_stride(lda, order), require_stride(ldb, m), require_stride(ldc, m);                                        \
    T a = call.scalar(alpha), b = call.scalar(beta);                                                                   \
    call.reach_matrix(A, order, order, lda), call.reach_matrix(B, m, n, ldb), call.reach_matrix(C, m, n, ldc);         \
    cblas::name(side, uplo, m, n, a, A, lda, B, ldb, b, C, ldc);                                                       \
  }
PORTER_SYMM(symm)
PORTER_SYMM(hemm)
#undef PORTER_SYMM

// What the rank-k updates share: A and B are n × k, or k × n where transposed, and C is n × n.
inline void check_rank_k(Transpose t, int n, int k, int lda, int ldb, int ldc) {
  require(n >= 0 && k >= 0);
  require_stride(lda, plain(t) ? n : k), require_stride(ldb, plain(t) ? n : k), require_stride(ldc, n);
}
template <class T>
void reach_factor(const BlasCall &call, Transpose t, int n, int k, const T *A, int lda) {
  call.reach_matrix(A, plain(t) ? n : k, plain(t) ? k : n, lda);
}

#define PORTER_RANK_K(name, S)                                                                                     \
  template <class T>                                                                                               \
  void name(const BlasCall &call, Fill uplo, Transpose t, int n, int k, const S *alpha, const T *A, int lda,       \
            const S *beta, T *C, int ldc) {                                                                        \
    check_rank_k(t, n, k, lda, lda, ldc);                                                                          \
    S a = call.scalar(alpha), b = call.scalar(beta);                                                               \
    reach_factor(call, t, n, k, A, lda), call.reach_matrix(C, n, n, ldc);                                          \
    cblas::name(uplo, t, n, k, a, A, lda, b, C, ldc);                                                              \
  }
PORTER_RANK_K(syrk, T)
PORTER_RANK_K(herk, typename T::value_type)
#undef PORTER_RANK_K

#define PORTER_RANK_2K(name, S)                                                                                    \
  template <class T>                                                                                               \
  void name(const BlasCall &call, Fill uplo, Transpose t, int n, int k, const T *alpha, const T *A, int lda,       \
            const T *B, int ldb, const S *beta, T *C, int ldc) {                                                   \
    check_rank_k(t, n, k, lda, ldb, ldc);                                                                          \
    T a = call.scalar(alpha);                                                                                      \
    S b = call.scalar(beta);                                                                                       \
    reach_factor(call, t, n, k, A, lda), reach_factor(call, t, n, k, B, ldb), call.reach_matrix(C, n, n, ldc);     \
    cblas::name(uplo, t, n, k, a, A, lda, B, ldb, b, C, ldc);                                                      \
  }
PORTER_RANK_2K(syr2k, T)
PORTER_RANK_2K(her2k, typename T::value_type)
#undef PORTER_RANK_2K

// One triangle of alpha · A · Bᵀ + beta · C (or Aᵀ · B); with `hermitian` the second factor is conjugated.
template <class T, class S>
void update_triangle(const BlasCall &call, bool hermitian, Fill uplo, Transpose t, int n, int k, const T *alpha,
                     const T *A, int lda, const T *B, int ldb, const S *beta, T *C, int ldc) {
  check_rank_k(t, n, k, lda, ldb, ldc);
  T a = call.scalar(alpha), b = T(call.scalar(beta));
  reach_factor(call, t, n, k, A, lda), reach_factor(call, t, n, k, B, ldb), call.reach_matrix(C, n, n, ldc);
  Transpose flipped = hermitian ? CblasConjTrans : CblasTrans;
  cblas::gemmt(uplo, plain(t) ? CblasNoTrans : flipped, plain(t) ? flipped : CblasNoTrans, n, k, a, A, lda, B, ldb, b, C,
               ldc);
}
template <class T>
void syrkx(const BlasCall &call, Fill uplo, Transpose t, int n, int k, const T *alpha, const T *A, int lda, const T *B,
           int ldb, const T *beta, T *C, int ldc) {
  update_triangle(call, false, uplo, t, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
template <class T>
void herkx(const BlasCall &call, Fill uplo, Transpose t, int n, int k, const T *alpha, const T *A, int lda, const T *B,
           int ldb, const typename T::value_type *beta, T *C, int ldc) {
  update_triangle(call, true, uplo, t, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

// Out of place, unlike BLAS; B and C may be one matrix.
template <class T>
void trmm(const BlasCall &call, Side side, Fill uplo, Transpose t, Diagonal diag, int m, int n, const T *alpha,
          const T *A, int lda, const T *B, int ldb, T *C, int ldc) {
  require(m >= 0 && n >= 0);
  int order = side == CblasLeft ? m : n;
  require_stride(lda, order), require_stride(ldb, m), require_stride(ldc, m);
  T a = call.scalar(alpha);
  call.reach_matrix(A, order, order, lda), call.reach_matrix(B, m, n, ldb), call.reach_matrix(C, m, n, ldc);
  if (B != C) {
    for (int j = 0; j < n; ++j) std::copy_n(B + int64_t(j) * ldb, m, C + int64_t(j) * ldc);
  }
  cblas::trmm(side, uplo, t, diag, m, n, a, A, lda, C, ldc);
}

template <class T>
void trsm(const BlasCall &call, Side side, Fill uplo, Transpose t, Diagonal diag, int m, int n, const T *alpha,
          const T *A, int lda, T *B, int ldb) {
  require(m >= 0 && n >= 0);
  int order = side == CblasLeft ? m : n;
  require_stride(lda, order), require_stride(ldb, m);
  T a = call.scalar(alpha);
  call.reach_matrix(A, order, order, lda), call.reach_matrix(B, m, n, ldb);
  cblas::trsm(side, uplo, t, diag, m, n, a, A, lda, B, ldb);
}
template <class T>
void trsm_batched(const BlasCall &call, Side side, Fill uplo, Transpose t, Diagonal diag, int m, int n, const T *alpha,
                  const T *const *A, int lda, T *const *B, int ldb, int batch) {
  require(batch >= 0);
  call.reach(A, size_t(batch)), call.reach(B, size_t(batch));
  for (int i = 0; i < batch; ++i) trsm(call, side, uplo, t, diag, m, n, alpha, A[i], lda, B[i], ldb);
}

template <class T>
T element(Transpose t, const T *A, int64_t lda, int64_t row, int64_t column) {
  if (plain(t)) return A[row + column * lda];
  T value = A[column + row * lda];
  return t == CblasConjTrans ? conjugate(value) : value;
}

// C ← alpha · op(A) + beta · op(B). In place only over a factor that is not transposed.
template <class T>
void geam(const BlasCall &call, Transpose ta, Transpose tb, int m, int n, const T *alpha, const T *A, int lda,
          const T *beta, const T *B, int ldb, T *C, int ldc) {
  require(m >= 0 && n >= 0);
  require_stride(lda, plain(ta) ? m : n), require_stride(ldb, plain(tb) ? m : n), require_stride(ldc, m);
  require(C != A || (plain(ta) && lda == ldc)), require(C != B || (plain(tb) && ldb == ldc));
  T a = call.scalar(alpha), b = call.scalar(beta);
  if (m == 0 || n == 0) return;
  if (a != T(0)) call.reach_matrix(A, plain(ta) ? m : n, plain(ta) ? n : m, lda);
  if (b != T(0)) call.reach_matrix(B, plain(tb) ? m : n, plain(tb) ? n : m, ldb);
  call.reach_matrix(C, m, n, ldc);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      T sum = a != T(0) ? a * element(ta, A, lda, i, j) : T(0);
      if (b != T(0)) sum += b * element(tb, B, ldb, i, j);
      C[i + j * ldc] = sum;
    }
  }
}

// C ← A · diag(x), or diag(x) · A where the vector stands on the left.
template <class T>
void dgmm(const BlasCall &call, Side side, int m, int n, const T *A, int lda, const T *x, int incx, T *C, int ldc) {
  require(m >= 0 && n >= 0);
  require_stride(lda, m), require_stride(ldc, m);
  int length = side == CblasLeft ? m : n;
  call.reach_matrix(A, m, n, lda), call.reach_vector(x, length, incx), call.reach_matrix(C, m, n, ldc);
  int64_t first = first_of(length, incx);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      C[i + j * ldc] = A[i + j * lda] * x[first + (side == CblasLeft ? i : j) * incx];
    }
  }
}

}  // namespace porter_sim::blas
