// Cholesky, LU and QR, and solving with them.
#pragma once

#include "solver/handle.h"

namespace porter_sim::solver {

template <class T>
void potrf_size(const Call &, void *handle, char, int n, T *, int lda, int *out) {
  require_stride(lda, n);
  answer_size(handle, out, n);
}
template <class T>
void potrf(const Call &call, void *handle, char uplo, int n, T *A, int lda, T *, int lwork, int *info) {
  of(handle);
  require(n >= 0 && lwork >= workspace(n));
  require_stride(lda, n);
  call.reach_matrix(A, n, n, lda);
  finish(call, info, n ? lapack::potrf(uplo, n, A, lda) : 0);
}
template <class T>
void potri(const Call &call, void *handle, char uplo, int n, T *A, int lda, T *, int lwork, int *info) {
  of(handle);
  require(n >= 0 && lwork >= workspace(n));
  require_stride(lda, n);
  call.reach_matrix(A, n, n, lda);
  finish(call, info, n ? lapack::potri(uplo, n, A, lda) : 0);
}
template <class T>
void potrs(const Call &call, void *handle, char uplo, int n, int nrhs, const T *A, int lda, T *B, int ldb, int *info) {
  of(handle);
  require(n >= 0 && nrhs >= 0);
  require_stride(lda, n), require_stride(ldb, n);
  call.reach_matrix(A, n, n, lda), call.reach_matrix(B, n, nrhs, ldb);
  finish(call, info, n && nrhs ? lapack::potrs(uplo, n, nrhs, A, lda, B, ldb) : 0);
}

template <class T>
void getrf_size(const Call &, void *handle, int m, int n, T *, int lda, int *out) {
  require(m >= 0);
  require_stride(lda, m);
  answer_size(handle, out, n);
}

// Without pivots: the first zero on the diagonal is what the status says, as with them.
template <class T>
int eliminate(int m, int n, T *A, int64_t lda) {
  int status = 0;
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    T pivot = A[k + k * lda];
    if (pivot == T(0)) {
      if (!status) status = int(k) + 1;
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i) A[i + k * lda] /= pivot;
    for (int64_t j = k + 1; j < n; ++j) {
      for (int64_t i = k + 1; i < m; ++i) A[i + j * lda] -= A[i + k * lda] * A[k + j * lda];
    }
  }
  return status;
}

template <class T>
void getrf(const Call &call, void *handle, int m, int n, T *A, int lda, T *, int *pivots, int *info) {
  of(handle);
  require(m >= 0 && n >= 0);
  require_stride(lda, m);
  call.reach_matrix(A, m, n, lda);
  if (pivots) call.reach(pivots, size_t(std::min(m, n)));
  if (!m || !n) return finish(call, info, 0);
  finish(call, info, pivots ? lapack::getrf(m, n, A, lda, pivots) : eliminate(m, n, A, lda));
}

template <class T>
void getrs(const Call &call, void *handle, char trans, int n, int nrhs, const T *A, int lda, const int *pivots, T *B,
           int ldb, int *info) {
  of(handle);
  require(n >= 0 && nrhs >= 0);
  require_stride(lda, n), require_stride(ldb, n);
  call.reach_matrix(A, n, n, lda), call.reach_matrix(B, n, nrhs, ldb);
  std::vector<int> in_order;
  if (pivots) {
    call.reach(pivots, size_t(n));
    for (int i = 0; i < n; ++i) require(pivots[i] >= 1 && pivots[i] <= n);
  } else {
    for (int i = 1; i <= n; ++i) in_order.push_back(i);
    pivots = in_order.data();
  }
  finish(call, info, n && nrhs ? lapack::getrs(trans, n, nrhs, A, lda, pivots, B, ldb) : 0);
}

template <class T>
void geqrf(const Call &call, void *handle, int m, int n, T *A, int lda, T *tau, T *, int lwork, int *info) {
  of(handle);
  require(m >= 0 && n >= 0 && lwork >= workspace(n));
  require_stride(lda, m);
  call.reach_matrix(A, m, n, lda), call.reach(tau, size_t(std::min(m, n)));
  finish(call, info, m && n ? lapack::geqrf(m, n, A, lda, tau) : 0);
}

template <class T>
void orgqr_size(const Call &, void *handle, int m, int n, int k, const T *, int lda, const T *, int *out) {
  require(m >= n && n >= k && k >= 0);
  require_stride(lda, m);
  answer_size(handle, out, n);
}
template <class T>
void orgqr(const Call &call, void *handle, int m, int n, int k, T *A, int lda, const T *tau, T *, int lwork, int *info) {
  of(handle);
  require(m >= n && n >= k && k >= 0 && lwork >= workspace(n));
  require_stride(lda, m);
  call.reach_matrix(A, m, n, lda), call.reach(tau, size_t(k));
  finish(call, info, m && n ? lapack::orgqr(m, n, k, A, lda, tau) : 0);
}

template <class T>
void ormqr_size(const Call &, void *handle, char, char, int m, int n, int k, const T *, int, const T *, const T *, int ldc,
                int *out) {
  require(m >= 0 && k >= 0);
  require_stride(ldc, m);
  answer_size(handle, out, n);
}
template <class T>
void ormqr(const Call &call, void *handle, char side, char trans, int m, int n, int k, const T *A, int lda, const T *tau,
           T *C, int ldc, T *, int lwork, int *info) {
  of(handle);
  int order = side == 'L' ? m : n;
  require(m >= 0 && n >= 0 && k >= 0 && k <= order && lwork >= workspace(n));
  require_stride(lda, order), require_stride(ldc, m);
  call.reach_matrix(A, order, k, lda), call.reach(tau, size_t(k)), call.reach_matrix(C, m, n, ldc);
  finish(call, info, m && n ? lapack::ormqr(side, trans, m, n, k, A, lda, tau, C, ldc) : 0);
}

}  // namespace porter_sim::solver
