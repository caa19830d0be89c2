// needs: 
#ifndef PORTER_DIRECTED_ROUNDING
#define PORTER_DIRECTED_ROUNDING
// CUDA's arithmetic rounded down (rd), up (ru) or towards zero (rz): the nearest result, and its neighbour where
// the exact one lies on that side. `direction` is -1, 1 or 0; an error has the sign of "exact - nearest".
__device__ inline float porter_neighbour(float x, bool up) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  bits = x == 0.0f ? (up ? 1u : 0x80000001u) : (x > 0.0f) == up ? bits + 1u : bits - 1u;
  return __builtin_bit_cast(float, bits);
}
__device__ inline double porter_neighbour(double x, bool up) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  bits = x == 0.0 ? (up ? 1ull : 0x8000000000000001ull) : (x > 0.0) == up ? bits + 1ull : bits - 1ull;
  return __builtin_bit_cast(double, bits);
}
template <typename T>
__device__ inline T porter_directed_rounding(T nearest, double error, int direction) {
  if (error < 0.0 && (direction < 0 || (direction == 0 && nearest > T(0)))) return porter_neighbour(nearest, false);
  if (error > 0.0 && (direction > 0 || (direction == 0 && nearest < T(0)))) return porter_neighbour(nearest, true);
  return nearest;
}
// A sum that is exactly zero is -0 when rounded down, unless both terms are +0.
template <typename T>
__device__ inline T porter_directed_sum(T nearest, double error, double a, double b, int direction) {
  const bool negative = nearest == T(0) && error == 0.0 && direction < 0;
  if (negative && (__builtin_signbit(a) || __builtin_signbit(b))) return -T(0);
  return porter_directed_rounding(nearest, error, direction);
}
// a + b is exactly the sum that comes back and `rest` (Knuth).
__device__ inline double porter_two_sum(double a, double b, double &rest) {
  const double sum = a + b, b_part = sum - a;
  rest = (a - (sum - b_part)) + (b - b_part);
  return sum;
}

// In double, sums of floats lose what `rest` keeps, and products nothing.
__device__ inline float porter_fadd(float a, float b, int direction) {
  double rest;
  const double sum = porter_two_sum(a, b, rest);
  return porter_directed_sum(float(sum), (sum - double(float(sum))) + rest, a, b, direction);
}
__device__ inline float porter_fsub(float a, float b, int direction) { return porter_fadd(a, -b, direction); }
__device__ inline float porter_fmul(float a, float b, int direction) {
  const double product = double(a) * double(b);
  return porter_directed_rounding(float(product), product - double(float(product)), direction);
}
__device__ inline float porter_fmaf(float a, float b, float c, int direction) {
  double rest;
  const double product = double(a) * double(b), sum = porter_two_sum(product, c, rest);
  return porter_directed_sum(float(sum), (sum - double(float(sum))) + rest, product, c, direction);
}
__device__ inline float porter_fdiv(float a, float b, int direction) {
  const float nearest = float(double(a) / double(b));
  const double rest = __builtin_fma(-double(nearest), double(b), double(a));
  return porter_directed_rounding(nearest, __builtin_signbit(b) ? -rest : rest, direction);
}
__device__ inline float porter_frcp(float a, int direction) { return porter_fdiv(1.0f, a, direction); }
__device__ inline float porter_fsqrt(float a, int direction) {
  const float nearest = float(__builtin_sqrt(double(a)));
  return porter_directed_rounding(nearest, __builtin_fma(-double(nearest), double(nearest), double(a)), direction);
}

// For double the errors come from fma, on mantissas where a result may be too small for them.
__device__ inline double porter_dadd(double a, double b, int direction) {
  const bool ordered = __builtin_fabs(a) >= __builtin_fabs(b);
  const double large = ordered ? a : b, small = ordered ? b : a, sum = large + small;
  return porter_directed_sum(sum, small - (sum - large), a, b, direction);
}
__device__ inline double porter_dsub(double a, double b, int direction) { return porter_dadd(a, -b, direction); }
__device__ inline double porter_dmul(double a, double b, int direction) {
  const double product = a * b;
  if (__builtin_fabs(product) >= 1e-270) return porter_directed_rounding(product, __builtin_fma(a, b, -product), direction);
  int a_exponent = 0, b_exponent = 0;
  const double x = frexp(a, &a_exponent), y = frexp(b, &b_exponent);
  return porter_directed_rounding(product, __builtin_fma(x, y, -ldexp(product, -(a_exponent + b_exponent))), direction);
}
// The sign of a * b + c - nearest: the terms, scaled so that a * b is near 1, as a sum without loss (Shewchuk).
__device__ inline double porter_fma_error(double a, double b, double c, double nearest) {
  int a_exponent = 0, b_exponent = 0, c_exponent = 0;
  const double x = frexp(a, &a_exponent), y = frexp(b, &b_exponent);
  const int shift = -(a_exponent + b_exponent);
  double part[4] = {0.0, x * y, frexp(c, &c_exponent), -ldexp(nearest, shift)};
  if (part[1] == 0.0) return 0.0;
  if (c != 0.0 && c_exponent + shift > 300) return c == nearest ? part[1] : c - nearest;
  part[0] = __builtin_fma(x, y, -part[1]);
  // Far below the product's last bit, only the sign of c matters.
  part[2] = c == 0.0 || c_exponent + shift >= -300 ? ldexp(c, shift) : ldexp(part[2], -300);
  for (int term = 2; term < 4; ++term) {
    double sum = part[term];
    for (int i = 0; i < term; ++i) sum = porter_two_sum(sum, part[i], part[i]);
    part[term] = sum;
  }
  for (int i = 3; i > 0; --i) {
    if (part[i] != 0.0) return part[i];
  }
  return part[0];
}
__device__ inline double porter_fma(double a, double b, double c, int direction) {
  const double nearest = __builtin_fma(a, b, c);
  double error = nearest - nearest;  // of infinity and NaN: no neighbour
  const bool finite = a - a == 0.0 && b - b == 0.0 && c - c == 0.0;
  if (finite) error = error == 0.0 ? porter_fma_error(a, b, c, nearest) : -nearest;
  // The sign of a product that is zero or too small.
  const double product = __builtin_signbit(a) != __builtin_signbit(b) ? -1.0 : 1.0;
  return porter_directed_sum(nearest, error, product, c, direction);
}
__device__ inline double porter_ddiv(double a, double b, int direction) {
  const double nearest = a / b;
  int a_exponent = 0, b_exponent = 0;
  const double x = frexp(a, &a_exponent), y = frexp(b, &b_exponent);
  const double rest = __builtin_fma(-ldexp(nearest, b_exponent - a_exponent), y, x);
  return porter_directed_rounding(nearest, __builtin_signbit(b) ? -rest : rest, direction);
}
__device__ inline double porter_drcp(double a, int direction) { return porter_ddiv(1.0, a, direction); }
__device__ inline double porter_dsqrt(double a, int direction) {
  const double nearest = __builtin_sqrt(a);
  int exponent = 0;
  double x = frexp(a, &exponent);
  x = exponent % 2 == 0 ? x : 2.0 * x;
  const int half = (exponent - (exponent % 2 == 0 ? 0 : 1)) / 2;
  const double root = ldexp(nearest, -half);
  return porter_directed_rounding(nearest, __builtin_fma(-root, root, x), direction);
}

#define PORTER_DIRECTIONS(T, name, parameters, ...)                                            \
  __device__ inline T porter_##name##_rd parameters { return porter_##name(__VA_ARGS__, -1); } \
  __device__ inline T porter_##name##_ru parameters { return porter_##name(__VA_ARGS__, 1); }  \
  __device__ inline T porter_##name##_rz parameters { return porter_##name(__VA_ARGS__, 0); }
PORTER_DIRECTIONS(float, fadd, (float a, float b), a, b)
PORTER_DIRECTIONS(float, fsub, (float a, float b), a, b)
PORTER_DIRECTIONS(float, fmul, (float a, float b), a, b)
PORTER_DIRECTIONS(float, fdiv, (float a, float b), a, b)
PORTER_DIRECTIONS(float, fmaf, (float a, float b, float c), a, b, c)
PORTER_DIRECTIONS(float, frcp, (float a), a)
PORTER_DIRECTIONS(float, fsqrt, (float a), a)
PORTER_DIRECTIONS(double, dadd, (double a, double b), a, b)
PORTER_DIRECTIONS(double, dsub, (double a, double b), a, b)
PORTER_DIRECTIONS(double, dmul, (double a, double b), a, b)
PORTER_DIRECTIONS(double, ddiv, (double a, double b), a, b)
PORTER_DIRECTIONS(double, fma, (double a, double b, double c), a, b, c)
PORTER_DIRECTIONS(double, drcp, (double a), a)
PORTER_DIRECTIONS(double, dsqrt, (double a), a)
#undef PORTER_DIRECTIONS
#endif
