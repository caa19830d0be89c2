// OpenBLAS's functions on a matrix and vectors, under one name for the four types.
#pragma once

#include "blas/cblas_calls.h"

namespace porter_sim::cblas {

#define PORTER_LEVEL2(T, R, l, sym, h_or_s)                                                                               \
  inline void gemv(Transpose t, int m, int n, T a, const T *A, int lda, const T *x, int ix, T b, T *y, int iy) {          \
    PORTER_CBLAS(l##gemv)(CblasColMajor, t, m, n, by(a), A, lda, x, ix, by(b), y, iy);                                    \
  }                                                                                                                       \
  inline void gbmv(Transpose t, int m, int n, int kl, int ku, T a, const T *A, int lda, const T *x, int ix, T b, T *y,    \
                   int iy) {                                                                                              \
    PORTER_CBLAS(l##gbmv)(CblasColMajor, t, m, n, kl, ku, by(a), A, lda, x, ix, by(b), y, iy);                            \
  }                                                                                                                       \
  /* Symmetric where real, Hermitian where complex. */                                                                    \
  inline void hemv(Fill u, int n, T a, const T *A, int lda, const T *x, int ix, T b, T *y, int iy) {                      \
    PORTER_CBLAS(l##h_or_s##mv)(CblasColMajor, u, n, by(a), A, lda, x, ix, by(b), y, iy);                                 \
  }                                                                                                                       \
  inline void hbmv(Fill u, int n, int k, T a, const T *A, int lda, const T *x, int ix, T b, T *y, int iy) {               \
    PORTER_CBLAS(l##sym##bmv)(CblasColMajor, u, n, k, by(a), A, lda, x, ix, by(b), y, iy);                                \
  }                                                                                                                       \
  inline void hpmv(Fill u, int n, T a, const T *A, const T *x, int ix, T b, T *y, int iy) {                               \
    PORTER_CBLAS(l##sym##pmv)(CblasColMajor, u, n, by(a), A, x, ix, by(b), y, iy);                                        \
  }                                                                                                                       \
  inline void her(Fill u, int n, R a, const T *x, int ix, T *A, int lda) {                                                \
    PORTER_CBLAS(l##h_or_s##r)(CblasColMajor, u, n, a, x, ix, A, lda);                                                    \
  }                                                                                                                       \
  inline void hpr(Fill u, int n, R a, const T *x, int ix, T *A) {                                                         \
    PORTER_CBLAS(l##sym##pr)(CblasColMajor, u, n, a, x, ix, A);                                                           \
  }                                                                                                                       \
  inline void her2(Fill u, int n, T a, const T *x, int ix, const T *y, int iy, T *A, int lda) {                           \
    PORTER_CBLAS(l##h_or_s##r2)(CblasColMajor, u, n, by(a), x, ix, y, iy, A, lda);                                        \
  }                                                                                                                       \
  inline void hpr2(Fill u, int n, T a, const T *x, int ix, const T *y, int iy, T *A) {                                    \
    PORTER_CBLAS(l##sym##pr2)(CblasColMajor, u, n, by(a), x, ix, y, iy, A);                                               \
  }                                                                                                                       \
  inline void trmv(Fill u, Transpose t, Diagonal d, int n, const T *A, int lda, T *x, int ix) {                           \
    PORTER_CBLAS(l##trmv)(CblasColMajor, u, t, d, n, A, lda, x, ix);                                                      \
  }                                                                                                                       \
  inline void trsv(Fill u, Transpose t, Diagonal d, int n, const T *A, int lda, T *x, int ix) {                           \
    PORTER_CBLAS(l##trsv)(CblasColMajor, u, t, d, n, A, lda, x, ix);                                                      \
  }                                                                                                                       \
  inline void tbmv(Fill u, Transpose t, Diagonal d, int n, int k, const T *A, int lda, T *x, int ix) {                    \
    PORTER_CBLAS(l##tbmv)(CblasColMajor, u, t, d, n, k, A, lda, x, ix);                                                   \
  }                                                                                                                       \
  inline void tbsv(Fill u, Transpose t, Diagonal d, int n, int k, const T *A, int lda, T *x, int ix) {                    \
    PORTER_CBLAS(l##tbsv)(CblasColMajor, u, t, d, n, k, A, lda, x, ix);                                                   \
  }                                                                                                                       \
  inline void tpmv(Fill u, Transpose t, Diagonal d, int n, const T *A, T *x, int ix) {                                    \
    PORTER_CBLAS(l##tpmv)(CblasColMajor, u, t, d, n, A, x, ix);                                                           \
  }                                                                                                                       \
  inline void tpsv(Fill u, Transpose t, Diagonal d, int n, const T *A, T *x, int ix) {                                    \
    PORTER_CBLAS(l##tpsv)(CblasColMajor, u, t, d, n, A, x, ix);                                                           \
  }
PORTER_LEVEL2(float, float, s, s, sy)
PORTER_LEVEL2(double, double, d, s, sy)
PORTER_LEVEL2(std::complex<float>, float, c, h, he)
PORTER_LEVEL2(std::complex<double>, double, z, h, he)
#undef PORTER_LEVEL2

#define PORTER_GER(T, function, name)                                                             \
  inline void function(int m, int n, T a, const T *x, int ix, const T *y, int iy, T *A, int lda) { \
    PORTER_CBLAS(name)(CblasColMajor, m, n, by(a), x, ix, y, iy, A, lda);                         \
  }
PORTER_GER(float, ger, sger)
PORTER_GER(double, ger, dger)
PORTER_GER(std::complex<float>, ger, cgeru)
PORTER_GER(std::complex<double>, ger, zgeru)
PORTER_GER(std::complex<float>, gerc, cgerc)
PORTER_GER(std::complex<double>, gerc, zgerc)
#undef PORTER_GER

}  // namespace porter_sim::cblas
