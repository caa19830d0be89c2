// fmin and fmax as the device has them, in the place of the C library's: a NaN counts as missing, and -0 is less than
// +0, which the C library leaves open. Measured on an H200; AMD's v_min and v_max order zeros the same way.
#include <math.h>

namespace {

template <class T>
T smaller(T x, T y) {
  if (x < y) return x;
  if (y < x) return y;
  if (x == y) return signbit(x) ? x : y;
  return x == x ? x : y;
}

template <class T>
T larger(T x, T y) {
  if (x < y) return y;
  if (y < x) return x;
  if (x == y) return signbit(x) ? y : x;
  return x == x ? x : y;
}

}  // namespace

extern "C" {
float fminf(float x, float y) { return smaller(x, y); }
float fmaxf(float x, float y) { return larger(x, y); }
double fmin(double x, double y) { return smaller(x, y); }
double fmax(double x, double y) { return larger(x, y); }
}
