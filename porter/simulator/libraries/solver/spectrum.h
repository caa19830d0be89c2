// Singular values and eigenvalues.
#pragma once

#include "solver/handle.h"

namespace porter_sim::solver {

enum class Vectors { none, all };

inline void gesvd_size(const Call &, void *handle, int m, int n, int *out) {
  require(m >= 0);
  answer_size(handle, out, n);
}

inline bool is_job(char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }

template <class T, class R>
void gesvd(const Call &call, void *handle, signed char jobu, signed char jobvt, int m, int n, T *A, int lda, R *S, T *U,
           int ldu, T *VT, int ldvt, T *, int lwork, R *, int *info) {
  of(handle);
  require(m >= 0 && n >= 0 && is_job(char(jobu)) && is_job(char(jobvt)) && lwork >= workspace(n));
  require(jobu != 'O' || jobvt != 'O');
#ifndef PORTER_SIM_HIP
  require(m >= n);  // as cuSOLVER has it
#endif
  require_stride(lda, m);
  const int less = std::min(m, n);
  call.reach_matrix(A, m, n, lda), call.reach(S, size_t(less));
  if (jobu == 'A' || jobu == 'S') require_stride(ldu, m), call.reach_matrix(U, m, jobu == 'A' ? m : less, ldu);
  if (jobvt == 'A' || jobvt == 'S') {
    require_stride(ldvt, jobvt == 'A' ? n : less);
    call.reach_matrix(VT, jobvt == 'A' ? n : less, n, ldvt);
  }
  if (!less) return finish(call, info, 0);
  std::vector<R> rest(size_t(less) + 1);
  finish(call, info,
         lapack::gesvd(char(jobu), char(jobvt), m, n, A, lda, S, U, std::max(ldu, 1), VT, std::max(ldvt, 1), rest.data()));
}

template <class T, class R, class Info>
void gesvdj_size(const Call &, void *handle, Vectors, int, int m, int n, const T *, int lda, const R *, const T *, int,
                 const T *, int, int *out, Info) {
  require(m >= 0);
  require_stride(lda, m);
  answer_size(handle, out, n);
}

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}

// Gives V itself, not its transpose; with `econ` only the vectors of the singular values.
template <class T, class R, class Info>
void gesvdj(const Call &call, void *handle, Vectors jobz, int econ, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *V,
            int ldv, T *, int lwork, int *info, Info params) {
  of(handle);
  require(params && m >= 0 && n >= 0 && lwork >= workspace(n));
  require_stride(lda, m);
  const int less = std::min(m, n), rows = econ ? less : n, columns = econ ? less : m;
  call.reach_matrix(A, m, n, lda), call.reach(S, size_t(less));
  if (!less) return finish(call, info, 0);
  std::vector<R> rest(size_t(less) + 1);
  if (jobz == Vectors::none) {
    return finish(call, info, lapack::gesvd('N', 'N', m, n, A, lda, S, nullptr, 1, nullptr, 1, rest.data()));
  }
  require_stride(ldu, m), require_stride(ldv, n);
  call.reach_matrix(U, m, columns, ldu), call.reach_matrix(V, n, rows, ldv);
  std::vector<T> transposed(size_t(rows) * size_t(n));
  const char job = econ ? 'S' : 'A';
  int status = lapack::gesvd(job, job, m, n, A, lda, S, U, ldu, transposed.data(), rows, rest.data());
  for (int64_t j = 0; j < rows; ++j) {
    for (int64_t i = 0; i < n; ++i) V[i + j * ldv] = conjugate(transposed[size_t(j + i * rows)]);
  }
  finish(call, info, status);
}

template <class T, class R>
void syevd_size(const Call &, void *handle, Vectors, char, int n, const T *, int lda, const R *, int *out) {
  require_stride(lda, n);
  answer_size(handle, out, n);
}
template <class T, class R>
void syevd(const Call &call, void *handle, Vectors jobz, char uplo, int n, T *A, int lda, R *W, T *, int lwork, int *info) {
  of(handle);
  require(n >= 0 && lwork >= workspace(n));
  require_stride(lda, n);
  call.reach_matrix(A, n, n, lda), call.reach(W, size_t(n));
  finish(call, info, n ? lapack::syevd(jobz == Vectors::all ? 'V' : 'N', uplo, n, A, lda, W) : 0);
}
template <class T, class R, class Info>
void syevj_size(const Call &call, void *handle, Vectors jobz, char uplo, int n, const T *A, int lda, const R *W, int *out,
                Info) {
  syevd_size(call, handle, jobz, uplo, n, A, lda, W, out);
}
template <class T, class R, class Info>
void syevj(const Call &call, void *handle, Vectors jobz, char uplo, int n, T *A, int lda, R *W, T *work, int lwork,
           int *info, Info params) {
  require(params != nullptr);
  syevd(call, handle, jobz, uplo, n, A, lda, W, work, lwork, info);
}

}  // namespace porter_sim::solver
