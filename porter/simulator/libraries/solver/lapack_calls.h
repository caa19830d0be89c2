// LAPACK under one name for the four types; matrices are column-major.
#pragma once

#include <complex>

#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include "lapacke.h"

namespace porter_sim::lapack {

// Numbers go in as they are: a NaN is an input like another.
inline const bool unchecked = (scipy_LAPACKE_set_nancheck(0), true);

#define PORTER_LAPACK(name) scipy_LAPACKE_##name
#define PORTER_LAPACK_FUNCTIONS(T, R, l, orthogonal, symmetric)                                                        \
  inline int potrf(char u, int n, T *a, int lda) { return PORTER_LAPACK(l##potrf)(LAPACK_COL_MAJOR, u, n, a, lda); }   \
  inline int potri(char u, int n, T *a, int lda) { return PORTER_LAPACK(l##potri)(LAPACK_COL_MAJOR, u, n, a, lda); }   \
  inline int potrs(char u, int n, int nrhs, const T *a, int lda, T *b, int ldb) {                                      \
    return PORTER_LAPACK(l##potrs)(LAPACK_COL_MAJOR, u, n, nrhs, a, lda, b, ldb);                                      \
  }                                                                                                                    \
  inline int getrf(int m, int n, T *a, int lda, int *p) {                                                              \
    return PORTER_LAPACK(l##getrf)(LAPACK_COL_MAJOR, m, n, a, lda, p);                                                 \
  }                                                                                                                    \
  inline int getrs(char t, int n, int nrhs, const T *a, int lda, const int *p, T *b, int ldb) {                        \
    return PORTER_LAPACK(l##getrs)(LAPACK_COL_MAJOR, t, n, nrhs, a, lda, p, b, ldb);                                   \
  }                                                                                                                    \
  inline int getri(int n, T *a, int lda, const int *p) {                                                               \
    return PORTER_LAPACK(l##getri)(LAPACK_COL_MAJOR, n, a, lda, p);                                                    \
  }                                                                                                                    \
  inline int geqrf(int m, int n, T *a, int lda, T *tau) {                                                              \
    return PORTER_LAPACK(l##geqrf)(LAPACK_COL_MAJOR, m, n, a, lda, tau);                                               \
  }                                                                                                                    \
  inline int orgqr(int m, int n, int k, T *a, int lda, const T *tau) {                                                 \
    return PORTER_LAPACK(l##orthogonal##gqr)(LAPACK_COL_MAJOR, m, n, k, a, lda, tau);                                  \
  }                                                                                                                    \
  inline int ormqr(char s, char t, int m, int n, int k, const T *a, int lda, const T *tau, T *c, int ldc) {            \
    return PORTER_LAPACK(l##orthogonal##mqr)(LAPACK_COL_MAJOR, s, t, m, n, k, a, lda, tau, c, ldc);                    \
  }                                                                                                                    \
  inline int gesvd(char ju, char jv, int m, int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt, R *rest) {     \
    return PORTER_LAPACK(l##gesvd)(LAPACK_COL_MAJOR, ju, jv, m, n, a, lda, s, u, ldu, vt, ldvt, rest);                 \
  }                                                                                                                    \
  inline int syevd(char job, char u, int n, T *a, int lda, R *w) {                                                     \
    return PORTER_LAPACK(l##symmetric##evd)(LAPACK_COL_MAJOR, job, u, n, a, lda, w);                                   \
  }
PORTER_LAPACK_FUNCTIONS(float, float, s, or, sy)
PORTER_LAPACK_FUNCTIONS(double, double, d, or, sy)
PORTER_LAPACK_FUNCTIONS(std::complex<float>, float, c, un, he)
PORTER_LAPACK_FUNCTIONS(std::complex<double>, double, z, un, he)
#undef PORTER_LAPACK_FUNCTIONS

}  // namespace porter_sim::lapack
