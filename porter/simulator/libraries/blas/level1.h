// Vectors. Counts of zero or less leave everything as it is; reductions over them give zero.
#pragma once

#include "blas/cblas_calls.h"
#include "blas/handle.h"

namespace porter_sim::blas {

template <class T>
void axpy(const BlasCall &call, int n, const T *alpha, const T *x, int incx, T *y, int incy) {
  T a = call.scalar(alpha);
  if (n <= 0) return;
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  cblas::axpy(n, a, x, incx, y, incy);
}

template <class T>
void copy(const BlasCall &call, int n, const T *x, int incx, T *y, int incy) {
  if (n <= 0) return;
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  cblas::copy(n, x, incx, y, incy);
}

template <class T>
void swap(const BlasCall &call, int n, T *x, int incx, T *y, int incy) {
  if (n <= 0) return;
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  cblas::swap(n, x, incx, y, incy);
}

template <class S, class T>
void scal(const BlasCall &call, int n, const S *alpha, T *x, int incx) {
  S a = call.scalar(alpha);
  if (n <= 0 || incx <= 0) return;
  call.reach_vector(x, n, incx);
  cblas::scal(n, a, x, incx);
}

template <class T>
void dot(const BlasCall &call, int n, const T *x, int incx, const T *y, int incy, T *result) {
  if (n <= 0) return call.result(result, T(0));
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  call.result(result, cblas::dot(n, x, incx, y, incy));
}

template <class T>
void dotc(const BlasCall &call, int n, const T *x, int incx, const T *y, int incy, T *result) {
  if (n <= 0) return call.result(result, T(0));
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  call.result(result, cblas::dotc(n, x, incx, y, incy));
}

template <class T, class R>
void nrm2(const BlasCall &call, int n, const T *x, int incx, R *result) {
  if (n <= 0 || incx <= 0) return call.result(result, R(0));
  call.reach_vector(x, n, incx);
  call.result(result, cblas::nrm2(n, x, incx));
}

template <class T, class R>
void asum(const BlasCall &call, int n, const T *x, int incx, R *result) {
  if (n <= 0 || incx <= 0) return call.result(result, R(0));
  call.reach_vector(x, n, incx);
  call.result(result, cblas::asum(n, x, incx));
}

// Indices count from one; zero says that there is no element.
template <class T>
void amax(const BlasCall &call, int n, const T *x, int incx, int *result) {
  if (n <= 0 || incx <= 0) return call.result(result, 0);
  call.reach_vector(x, n, incx);
  call.result(result, cblas::amax(n, x, incx) + 1);
}

template <class T>
void amin(const BlasCall &call, int n, const T *x, int incx, int *result) {
  if (n <= 0 || incx <= 0) return call.result(result, 0);
  call.reach_vector(x, n, incx);
  call.result(result, cblas::amin(n, x, incx) + 1);
}

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class R>
std::complex<R> conjugate(std::complex<R> x) {
  return std::conj(x);
}

// The element that a strided loop starts with: with a negative stride, the last in memory.
inline int64_t first_of(int64_t n, int64_t inc) { return inc < 0 ? (1 - n) * inc : 0; }

template <class T, class R, class S>
void rot(const BlasCall &call, int n, T *x, int incx, T *y, int incy, const R *cosine, const S *sine) {
  R c = call.scalar(cosine);
  S s = call.scalar(sine);
  if (n <= 0) return;
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  int64_t i = first_of(n, incx), j = first_of(n, incy);
  for (int k = 0; k < n; ++k, i += incx, j += incy) {
    T old = x[i];
    x[i] = c * old + s * y[j];
    y[j] = c * y[j] - conjugate(s) * old;
  }
}

template <class T, class R>
void rotg(const BlasCall &call, T *a, T *b, R *c, T *s) {
  call.scalar(a), call.scalar(b), call.scalar(c), call.scalar(s);
  cblas::rotg(a, b, c, s);
}

template <class T>
void rotm(const BlasCall &call, int n, T *x, int incx, T *y, int incy, const T *param) {
  call.scalar(param);
  if (n <= 0) return;
  call.reach_vector(x, n, incx);
  call.reach_vector(y, n, incy);
  cblas::rotm(n, x, incx, y, incy, param);
}

template <class T>
void rotmg(const BlasCall &call, T *d1, T *d2, T *x1, const T *y1, T *param) {
  call.scalar(d1), call.scalar(d2), call.scalar(x1), call.scalar(param);
  cblas::rotmg(d1, d2, x1, call.scalar(y1), param);
}

}  // namespace porter_sim::blas
