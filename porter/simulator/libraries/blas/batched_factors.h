// LU factorisations of many small matrices, and what is solved with them. Pivots lie one matrix behind the other;
// without them rows stay where they are.
#pragma once

#include "blas/level3.h"
#include "solver/factor.h"

namespace porter_sim::blas {

inline std::vector<int> pivots_of(const BlasCall &call, const int *pivots, int n, int matrix) {
  std::vector<int> out(size_t(n), 0);
  for (int i = 0; i < n; ++i) out[size_t(i)] = i + 1;
  if (!pivots) return out;
  const int *own = pivots + int64_t(matrix) * n;
  call.reach(own, size_t(n));
  for (int i = 0; i < n; ++i) {
    require(own[i] >= 1 && own[i] <= n, Code::execution_failed);
    out[size_t(i)] = own[i];
  }
  return out;
}

template <class T>
void getrf_batched(const BlasCall &call, int n, T *const *A, int lda, int *pivots, int *info, int batch) {
  require(n >= 0 && batch >= 0);
  require_stride(lda, n);
  call.reach(A, size_t(batch)), call.reach(info, size_t(batch));
  if (pivots) call.reach(pivots, size_t(batch) * size_t(n));
  for (int i = 0; i < batch; ++i) {
    call.reach_matrix(A[i], n, n, lda);
    info[i] = n == 0   ? 0
              : pivots ? lapack::getrf(n, n, A[i], lda, pivots + int64_t(i) * n)
                       : solver::eliminate(n, n, A[i], lda);
  }
}

// Here the status is on the host and says only whether the arguments were right.
template <class T>
void getrs_batched(const BlasCall &call, Transpose trans, int n, int nrhs, const T *const *A, int lda, const int *pivots,
                   T *const *B, int ldb, int *info, int batch) {
  require(info != nullptr);
  *info = n < 0 ? -2 : nrhs < 0 ? -3 : lda < std::max(1, n) ? -5 : ldb < std::max(1, n) ? -8 : batch < 0 ? -10 : 0;
  require(*info == 0);
  call.reach(A, size_t(batch)), call.reach(B, size_t(batch));
  const char letter = trans == CblasNoTrans ? 'N' : trans == CblasTrans ? 'T' : 'C';
  for (int i = 0; i < batch && n && nrhs; ++i) {
    call.reach_matrix(A[i], n, n, lda), call.reach_matrix(B[i], n, nrhs, ldb);
    std::vector<int> rows = pivots_of(call, pivots, n, i);
    lapack::getrs(letter, n, nrhs, A[i], lda, rows.data(), B[i], ldb);
  }
}

// The inverse out of the factors, in a matrix of its own.
template <class T>
int invert_factored(int n, const T *A, int lda, const int *pivots, T *C, int ldc) {
  for (int64_t j = 0; j < n; ++j) std::copy_n(A + j * lda, n, C + j * ldc);
  return n ? lapack::getri(n, C, ldc, pivots) : 0;
}

template <class T>
void getri_batched(const BlasCall &call, int n, const T *const *A, int lda, const int *pivots, T *const *C, int ldc,
                   int *info, int batch) {
  require(n >= 0 && batch >= 0);
  require_stride(lda, n), require_stride(ldc, n);
  call.reach(A, size_t(batch)), call.reach(C, size_t(batch)), call.reach(info, size_t(batch));
  for (int i = 0; i < batch; ++i) {
    call.reach_matrix(A[i], n, n, lda), call.reach_matrix(C[i], n, n, ldc);
    require(A[i] != C[i]);
    std::vector<int> rows = pivots_of(call, pivots, n, i);
    info[i] = invert_factored(n, A[i], lda, rows.data(), C[i], ldc);
  }
}

// For small matrices: factors and inverts in one call, and leaves A as it is.
template <class T>
void matinv_batched(const BlasCall &call, int n, const T *const *A, int lda, T *const *C, int ldc, int *info, int batch) {
  require(n >= 0 && n <= 32 && batch >= 0);
  require_stride(lda, n), require_stride(ldc, n);
  call.reach(A, size_t(batch)), call.reach(C, size_t(batch)), call.reach(info, size_t(batch));
  for (int i = 0; i < batch; ++i) {
    call.reach_matrix(A[i], n, n, lda), call.reach_matrix(C[i], n, n, ldc);
    std::vector<int> pivots(size_t(n) + 1);
    for (int64_t j = 0; j < n; ++j) std::copy_n(A[i] + j * lda, n, C[i] + j * ldc);
    info[i] = n ? lapack::getrf(n, n, C[i], ldc, pivots.data()) : 0;
    if (n && info[i] == 0) info[i] = lapack::getri(n, C[i], ldc, pivots.data());
  }
}

}  // namespace porter_sim::blas
