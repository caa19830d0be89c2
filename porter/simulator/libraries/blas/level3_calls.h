// OpenBLAS's functions on matrices, under one name for the four types.
#pragma once

#include "blas/cblas_calls.h"

namespace porter_sim::cblas {

#define PORTER_LEVEL3(T, l)                                                                                            \
  inline void gemm(Transpose ta, Transpose tb, int m, int n, int k, T a, const T *A, int lda, const T *B, int ldb,     \
                   T b, T *C, int ldc) {                                                                               \
    PORTER_CBLAS(l##gemm)(CblasColMajor, ta, tb, m, n, k, by(a), A, lda, B, ldb, by(b), C, ldc);                       \
  }                                                                                                                    \
  inline void gemmt(Fill u, Transpose ta, Transpose tb, int n, int k, T a, const T *A, int lda, const T *B, int ldb,   \
                    T b, T *C, int ldc) {                                                                              \
    PORTER_CBLAS(l##gemmt)(CblasColMajor, u, ta, tb, n, k, by(a), A, lda, B, ldb, by(b), C, ldc);                      \
  }                                                                                                                    \
  inline void symm(Side s, Fill u, int m, int n, T a, const T *A, int lda, const T *B, int ldb, T b, T *C, int ldc) {  \
    PORTER_CBLAS(l##symm)(CblasColMajor, s, u, m, n, by(a), A, lda, B, ldb, by(b), C, ldc);                            \
  }                                                                                                                    \
  inline void syrk(Fill u, Transpose t, int n, int k, T a, const T *A, int lda, T b, T *C, int ldc) {                  \
    PORTER_CBLAS(l##syrk)(CblasColMajor, u, t, n, k, by(a), A, lda, by(b), C, ldc);                                    \
  }                                                                                                                    \
  inline void syr2k(Fill u, Transpose t, int n, int k, T a, const T *A, int lda, const T *B, int ldb, T b, T *C,       \
                    int ldc) {                                                                                         \
    PORTER_CBLAS(l##syr2k)(CblasColMajor, u, t, n, k, by(a), A, lda, B, ldb, by(b), C, ldc);                           \
  }                                                                                                                    \
  inline void trmm(Side s, Fill u, Transpose t, Diagonal d, int m, int n, T a, const T *A, int lda, T *B, int ldb) {   \
    PORTER_CBLAS(l##trmm)(CblasColMajor, s, u, t, d, m, n, by(a), A, lda, B, ldb);                                     \
  }                                                                                                                    \
  inline void trsm(Side s, Fill u, Transpose t, Diagonal d, int m, int n, T a, const T *A, int lda, T *B, int ldb) {   \
    PORTER_CBLAS(l##trsm)(CblasColMajor, s, u, t, d, m, n, by(a), A, lda, B, ldb);                                     \
  }
PORTER_LEVEL3(float, s)
PORTER_LEVEL3(double, d)
PORTER_LEVEL3(std::complex<float>, c)
PORTER_LEVEL3(std::complex<double>, z)
#undef PORTER_LEVEL3

#define PORTER_HERMITIAN(T, R, l)                                                                                      \
  inline void hemm(Side s, Fill u, int m, int n, T a, const T *A, int lda, const T *B, int ldb, T b, T *C, int ldc) {  \
    PORTER_CBLAS(l##hemm)(CblasColMajor, s, u, m, n, by(a), A, lda, B, ldb, by(b), C, ldc);                            \
  }                                                                                                                    \
  inline void herk(Fill u, Transpose t, int n, int k, R a, const T *A, int lda, R b, T *C, int ldc) {                  \
    PORTER_CBLAS(l##herk)(CblasColMajor, u, t, n, k, a, A, lda, b, C, ldc);                                            \
  }                                                                                                                    \
  inline void her2k(Fill u, Transpose t, int n, int k, T a, const T *A, int lda, const T *B, int ldb, R b, T *C,       \
                    int ldc) {                                                                                         \
    PORTER_CBLAS(l##her2k)(CblasColMajor, u, t, n, k, by(a), A, lda, B, ldb, b, C, ldc);                               \
  }
PORTER_HERMITIAN(std::complex<float>, float, c)
PORTER_HERMITIAN(std::complex<double>, double, z)
#undef PORTER_HERMITIAN

}  // namespace porter_sim::cblas
