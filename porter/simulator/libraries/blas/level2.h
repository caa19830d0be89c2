// A matrix and vectors.
#pragma once

#include <algorithm>

#include "blas/level1.h"
#include "blas/level2_calls.h"

namespace porter_sim::blas {

using cblas::Diagonal;
using cblas::Fill;
using cblas::Side;
using cblas::Transpose;

inline void require_stride(int stride, int64_t rows) { require(stride >= std::max<int64_t>(1, rows)); }
inline size_t packed(int64_t n) { return size_t(n * (n + 1) / 2); }

// y ← beta · y; with beta zero what y holds does not matter, not even a NaN.
template <class T>
void clear_unless(T beta, int n, T *y, int incy) {
  if (beta != T(0)) return;
  int64_t at = first_of(n, incy);
  for (int i = 0; i < n; ++i, at += incy) y[at] = T(0);
}

template <class T>
void gemv(const BlasCall &call, Transpose trans, int m, int n, const T *alpha, const T *A, int lda, const T *x, int incx,
          const T *beta, T *y, int incy) {
  require(m >= 0 && n >= 0 && incx != 0 && incy != 0);
  require_stride(lda, m);
  T a = call.scalar(alpha), b = call.scalar(beta);
  if (m == 0 || n == 0) return;
  int rows = trans == CblasNoTrans ? m : n;
  call.reach_matrix(A, m, n, lda);
  call.reach_vector(x, trans == CblasNoTrans ? n : m, incx);
  call.reach_vector(y, rows, incy);
  clear_unless(b, rows, y, incy);
  cblas::gemv(trans, m, n, a, A, lda, x, incx, b, y, incy);
}

template <class T>
void gemv_strided(const BlasCall &call, Transpose trans, int m, int n, const T *alpha, const T *A, int lda,
                  long long stride_a, const T *x, int incx, long long stride_x, const T *beta, T *y, int incy,
                  long long stride_y, int batch) {
  require(batch >= 0);
  for (int i = 0; i < batch; ++i) {
    gemv(call, trans, m, n, alpha, A + i * stride_a, lda, x + i * stride_x, incx, beta, y + i * stride_y, incy);
  }
}

template <class T>
void gemv_batched(const BlasCall &call, Transpose trans, int m, int n, const T *alpha, const T *const *A, int lda,
                  const T *const *x, int incx, const T *beta, T *const *y, int incy, int batch) {
  require(batch >= 0);
  call.reach(A, size_t(batch)), call.reach(x, size_t(batch)), call.reach(y, size_t(batch));
  for (int i = 0; i < batch; ++i) gemv(call, trans, m, n, alpha, A[i], lda, x[i], incx, beta, y[i], incy);
}

template <class T>
void gbmv(const BlasCall &call, Transpose trans, int m, int n, int kl, int ku, const T *alpha, const T *A, int lda,
          const T *x, int incx, const T *beta, T *y, int incy) {
  require(m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && incx != 0 && incy != 0);
  require_stride(lda, kl + ku + 1);
  T a = call.scalar(alpha), b = call.scalar(beta);
  if (m == 0 || n == 0) return;
  int rows = trans == CblasNoTrans ? m : n;
  call.reach_matrix(A, kl + ku + 1, n, lda);
  call.reach_vector(x, trans == CblasNoTrans ? n : m, incx);
  call.reach_vector(y, rows, incy);
  clear_unless(b, rows, y, incy);
  cblas::gbmv(trans, m, n, kl, ku, a, A, lda, x, incx, b, y, incy);
}

template <class T>
void ger(const BlasCall &call, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {
  require(m >= 0 && n >= 0 && incx != 0 && incy != 0);
  require_stride(lda, m);
  T a = call.scalar(alpha);
  call.reach_vector(x, m, incx), call.reach_vector(y, n, incy), call.reach_matrix(A, m, n, lda);
  cblas::ger(m, n, a, x, incx, y, incy, A, lda);
}
template <class T>
void gerc(const BlasCall &call, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {
  require(m >= 0 && n >= 0 && incx != 0 && incy != 0);
  require_stride(lda, m);
  T a = call.scalar(alpha);
  call.reach_vector(x, m, incx), call.reach_vector(y, n, incy), call.reach_matrix(A, m, n, lda);
  cblas::gerc(m, n, a, x, incx, y, incy, A, lda);
}

// Symmetric where real, Hermitian where complex.
template <class T>
void hemv(const BlasCall &call, Fill uplo, int n, const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,
          T *y, int incy) {
  require(n >= 0 && incx != 0 && incy != 0);
  require_stride(lda, n);
  T a = call.scalar(alpha), b = call.scalar(beta);
  call.reach_matrix(A, n, n, lda), call.reach_vector(x, n, incx), call.reach_vector(y, n, incy);
  clear_unless(b, n, y, incy);
  cblas::hemv(uplo, n, a, A, lda, x, incx, b, y, incy);
}
template <class T>
void hbmv(const BlasCall &call, Fill uplo, int n, int k, const T *alpha, const T *A, int lda, const T *x, int incx,
          const T *beta, T *y, int incy) {
  require(n >= 0 && k >= 0 && incx != 0 && incy != 0);
  require_stride(lda, k + 1);
  T a = call.scalar(alpha), b = call.scalar(beta);
  call.reach_matrix(A, k + 1, n, lda), call.reach_vector(x, n, incx), call.reach_vector(y, n, incy);
  clear_unless(b, n, y, incy);
  cblas::hbmv(uplo, n, k, a, A, lda, x, incx, b, y, incy);
}
template <class T>
void hpmv(const BlasCall &call, Fill uplo, int n, const T *alpha, const T *A, const T *x, int incx, const T *beta, T *y,
          int incy) {
  require(n >= 0 && incx != 0 && incy != 0);
  T a = call.scalar(alpha), b = call.scalar(beta);
  call.reach(A, packed(n)), call.reach_vector(x, n, incx), call.reach_vector(y, n, incy);
  clear_unless(b, n, y, incy);
  cblas::hpmv(uplo, n, a, A, x, incx, b, y, incy);
}

template <class T, class R>
void her(const BlasCall &call, Fill uplo, int n, const R *alpha, const T *x, int incx, T *A, int lda) {
  require(n >= 0 && incx != 0);
  require_stride(lda, n);
  R a = call.scalar(alpha);
  call.reach_vector(x, n, incx), call.reach_matrix(A, n, n, lda);
  cblas::her(uplo, n, a, x, incx, A, lda);
}
template <class T, class R>
void hpr(const BlasCall &call, Fill uplo, int n, const R *alpha, const T *x, int incx, T *A) {
  require(n >= 0 && incx != 0);
  R a = call.scalar(alpha);
  call.reach_vector(x, n, incx), call.reach(A, packed(n));
  cblas::hpr(uplo, n, a, x, incx, A);
}
template <class T>
void her2(const BlasCall &call, Fill uplo, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A,
          int lda) {
  require(n >= 0 && incx != 0 && incy != 0);
  require_stride(lda, n);
  T a = call.scalar(alpha);
  call.reach_vector(x, n, incx), call.reach_vector(y, n, incy), call.reach_matrix(A, n, n, lda);
  cblas::her2(uplo, n, a, x, incx, y, incy, A, lda);
}
template <class T>
void hpr2(const BlasCall &call, Fill uplo, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A) {
  require(n >= 0 && incx != 0 && incy != 0);
  T a = call.scalar(alpha);
  call.reach_vector(x, n, incx), call.reach_vector(y, n, incy), call.reach(A, packed(n));
  cblas::hpr2(uplo, n, a, x, incx, y, incy, A);
}

#define PORTER_TRIANGULAR(name)                                                                                        \
  template <class T>                                                                                                   \
  void name(const BlasCall &call, Fill uplo, Transpose trans, Diagonal diag, int n, const T *A, int lda, T *x,         \
            int incx) {                                                                                                \
    require(n >= 0 && incx != 0);                                                                                      \
    require_stride(lda, n);                                                                                            \
    call.reach_matrix(A, n, n, lda), call.reach_vector(x, n, incx);                                                    \
    cblas::name(uplo, trans, diag, n, A, lda, x, incx);                                                                \
  }
PORTER_TRIANGULAR(trmv)
PORTER_TRIANGULAR(trsv)
#undef PORTER_TRIANGULAR
#define PORTER_TRIANGULAR(name)                                                                                        \
  template <class T>                                                                                                   \
  void name(const BlasCall &call, Fill uplo, Transpose trans, Diagonal diag, int n, int k, const T *A, int lda, T *x,  \
            int incx) {                                                                                                \
    require(n >= 0 && k >= 0 && incx != 0);                                                                            \
    require_stride(lda, k + 1);                                                                                        \
    call.reach_matrix(A, k + 1, n, lda), call.reach_vector(x, n, incx);                                                \
    cblas::name(uplo, trans, diag, n, k, A, lda, x, incx);                                                             \
  }
PORTER_TRIANGULAR(tbmv)
PORTER_TRIANGULAR(tbsv)
#undef PORTER_TRIANGULAR
#define PORTER_TRIANGULAR(name)                                                                                        \
  template <class T>                                                                                                   \
  void name(const BlasCall &call, Fill uplo, Transpose trans, Diagonal diag, int n, const T *A, T *x, int incx) {      \
    require(n >= 0 && incx != 0);                                                                                      \
    call.reach(A, packed(n)), call.reach_vector(x, n, incx);                                                           \
    cblas::name(uplo, trans, diag, n, A, x, incx);                                                                     \
  }
PORTER_TRIANGULAR(tpmv)
PORTER_TRIANGULAR(tpsv)
#undef PORTER_TRIANGULAR

}  // namespace porter_sim::blas
