// OpenBLAS's C interface under one name for the four types; matrices are column-major.
#pragma once

#include <complex>

#include "cblas.h"

namespace porter_sim::cblas {

using Transpose = CBLAS_TRANSPOSE;
using Fill = CBLAS_UPLO;
using Diagonal = CBLAS_DIAG;
using Side = CBLAS_SIDE;

// Scalars go by value where they are real and by address where they are complex.
inline float by(const float &x) { return x; }
inline double by(const double &x) { return x; }
template <class R>
const void *by(const std::complex<R> &x) {
  return &x;
}

#define PORTER_CBLAS(name) scipy_cblas_##name
#define PORTER_LEVEL1(T, R, l, real, index)                                                                          \
  inline void axpy(int n, T a, const T *x, int ix, T *y, int iy) { PORTER_CBLAS(l##axpy)(n, by(a), x, ix, y, iy); }  \
  inline void copy(int n, const T *x, int ix, T *y, int iy) { PORTER_CBLAS(l##copy)(n, x, ix, y, iy); }              \
  inline void swap(int n, T *x, int ix, T *y, int iy) { PORTER_CBLAS(l##swap)(n, x, ix, y, iy); }                    \
  inline void scal(int n, T a, T *x, int ix) { PORTER_CBLAS(l##scal)(n, by(a), x, ix); }                             \
  inline R nrm2(int n, const T *x, int ix) { return PORTER_CBLAS(real##nrm2)(n, x, ix); }                            \
  inline R asum(int n, const T *x, int ix) { return PORTER_CBLAS(real##asum)(n, x, ix); }                            \
  inline int amax(int n, const T *x, int ix) { return int(PORTER_CBLAS(index##amax)(n, x, ix)); }                    \
  inline int amin(int n, const T *x, int ix) { return int(PORTER_CBLAS(index##amin)(n, x, ix)); }                    \
  inline void rotg(T *a, T *b, R *c, T *s) { PORTER_CBLAS(l##rotg)(a, b, c, s); }
PORTER_LEVEL1(float, float, s, s, is)
PORTER_LEVEL1(double, double, d, d, id)
PORTER_LEVEL1(std::complex<float>, float, c, sc, ic)
PORTER_LEVEL1(std::complex<double>, double, z, dz, iz)
#undef PORTER_LEVEL1

#define PORTER_REAL(T, l)                                                                                       \
  inline T dot(int n, const T *x, int ix, const T *y, int iy) { return PORTER_CBLAS(l##dot)(n, x, ix, y, iy); } \
  inline void rotm(int n, T *x, int ix, T *y, int iy, const T *p) { PORTER_CBLAS(l##rotm)(n, x, ix, y, iy, p); } \
  inline void rotmg(T *d1, T *d2, T *x1, T y1, T *p) { PORTER_CBLAS(l##rotmg)(d1, d2, x1, y1, p); }
PORTER_REAL(float, s)
PORTER_REAL(double, d)
#undef PORTER_REAL

#define PORTER_COMPLEX(T, R, l, scale)                                                                     \
  inline T dot(int n, const T *x, int ix, const T *y, int iy) {                                            \
    T out;                                                                                                 \
    PORTER_CBLAS(l##dotu_sub)(n, x, ix, y, iy, &out);                                                      \
    return out;                                                                                            \
  }                                                                                                        \
  inline T dotc(int n, const T *x, int ix, const T *y, int iy) {                                           \
    T out;                                                                                                 \
    PORTER_CBLAS(l##dotc_sub)(n, x, ix, y, iy, &out);                                                      \
    return out;                                                                                            \
  }                                                                                                        \
  inline void scal(int n, R a, T *x, int ix) { PORTER_CBLAS(scale)(n, a, x, ix); }
PORTER_COMPLEX(std::complex<float>, float, c, csscal)
PORTER_COMPLEX(std::complex<double>, double, z, zdscal)
#undef PORTER_COMPLEX

}  // namespace porter_sim::cblas
