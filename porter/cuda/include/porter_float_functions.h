// Math functions that are not operations of the IR: those that take a number apart, and sums of squares.
#pragma once
#include "porter_host_defines.h"
#define PORTER_HD_INLINE PORTER_HD inline

PORTER_HD_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

// --- exponent and fraction ---

PORTER_HD_INLINE float frexpf(float x, int* exponent) {
    const bool is_small = fabsf(x) < 1.17549435e-38f;
    const unsigned int bits = __float_as_uint(is_small ? x * 16777216.0f : x);
    const bool is_kept = x == 0.0f || !isfinite(x);
    *exponent = is_kept ? 0 : (int)(bits >> 23 & 0xFF) - (is_small ? 150 : 126);
    return is_kept ? x : __uint_as_float((bits & 0x807FFFFFu) | 0x3F000000u);
}
PORTER_HD_INLINE double frexp(double x, int* exponent) {
    const bool is_small = fabs(x) < 2.2250738585072014e-308;
    const long long bits = __double_as_longlong(is_small ? x * 18014398509481984.0 : x);
    const bool is_kept = x == 0.0 || !isfinite(x);
    *exponent = is_kept ? 0 : (int)(bits >> 52 & 0x7FF) - (is_small ? 1076 : 1022);
    return is_kept ? x : __longlong_as_double((bits & 0x800FFFFFFFFFFFFFll) | 0x3FE0000000000000ll);
}
PORTER_HD_INLINE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
PORTER_HD_INLINE float modff(float x, float* whole) {
    *whole = truncf(x);
    return copysignf(isinf(x) ? 0.0f : x - truncf(x), x);
}
PORTER_HD_INLINE double modf(double x, double* whole) {
    *whole = trunc(x);
    return copysign(isinf(x) ? 0.0 : x - trunc(x), x);
}
PORTER_HD_INLINE float modf(float x, float* whole) { return modff(x, whole); }
PORTER_HD_INLINE double porter_power_of_two(int exponent) {
    return __longlong_as_double((long long)(exponent + 1023) << 52);
}
PORTER_HD_INLINE double scalbn(double x, int exponent) {
    // In steps that are exact, so that only the last product rounds.
    int left = max(min(exponent, 3000), -3000);
    double result = x;
    if (left > 1023) { result *= porter_power_of_two(1023); left -= 1023; }
    if (left > 1023) { result *= porter_power_of_two(1023); left = min(left - 1023, 1023); }
    if (left < -1022) { result *= porter_power_of_two(-969); left += 969; }
    if (left < -1022) { result *= porter_power_of_two(-969); left = max(left + 969, -1022); }
    return result * porter_power_of_two(left);
}
PORTER_HD_INLINE float scalbnf(float x, int exponent) {
    return (float)((double)x * porter_power_of_two(max(min(exponent, 400), -400)));
}
PORTER_HD_INLINE double ldexp(double x, int exponent) { return scalbn(x, exponent); }
PORTER_HD_INLINE float ldexp(float x, int exponent) { return scalbnf(x, exponent); }
PORTER_HD_INLINE float ldexpf(float x, int exponent) { return scalbnf(x, exponent); }
PORTER_HD_INLINE double scalbln(double x, long exponent) { return scalbn(x, (int)max(min(exponent, 3000l), -3000l)); }
PORTER_HD_INLINE float scalblnf(float x, long exponent) { return scalbnf(x, (int)max(min(exponent, 3000l), -3000l)); }
PORTER_HD_INLINE int ilogb(double x) {
    int exponent;
    frexp(x, &exponent);
    return x == 0.0 || isnan(x) ? (int)0x80000000 : isinf(x) ? 0x7FFFFFFF : exponent - 1;
}
PORTER_HD_INLINE int ilogbf(float x) { return ilogb((double)x); }
PORTER_HD_INLINE double logb(double x) {
    return x == 0.0 ? -__builtin_inf() : isfinite(x) ? (double)ilogb(x) : x * x;
}
PORTER_HD_INLINE float logbf(float x) { return (float)logb((double)x); }

PORTER_HD_INLINE float nextafterf(float x, float y) {
    const int bits = __float_as_int(x);
    const float smallest = copysignf(1.401298464e-45f, y);
    const float next = __int_as_float(bits + ((x < y) == (x > 0.0f) ? 1 : -1));
    return isnan(x) || isnan(y) ? x + y : x == y ? y : x == 0.0f ? smallest : next;
}
PORTER_HD_INLINE double nextafter(double x, double y) {
    const long long bits = __double_as_longlong(x);
    const double smallest = copysign(4.9406564584124654e-324, y);
    const double next = __longlong_as_double(bits + ((x < y) == (x > 0.0) ? 1 : -1));
    return isnan(x) || isnan(y) ? x + y : x == y ? y : x == 0.0 ? smallest : next;
}

// --- to integers ---

PORTER_HD_INLINE long lround(double x) { return (long)round(x); }
PORTER_HD_INLINE long lroundf(float x) { return (long)roundf(x); }
PORTER_HD_INLINE long long llround(double x) { return (long long)round(x); }
PORTER_HD_INLINE long long llroundf(float x) { return (long long)roundf(x); }
PORTER_HD_INLINE long lrint(double x) { return (long)rint(x); }
PORTER_HD_INLINE long lrintf(float x) { return (long)rintf(x); }
PORTER_HD_INLINE long long llrint(double x) { return (long long)rint(x); }
PORTER_HD_INLINE long long llrintf(float x) { return (long long)rintf(x); }

// --- remainders to the nearest multiple ---

PORTER_HD_INLINE double porter_remainder(double x, double y) {
    const double size = fabs(y);
    double rest = size < 8e307 ? fmod(fabs(x), size + size) : fabs(x);
    if (size < 1e-300 ? rest + rest > size : rest > 0.5 * size) rest -= size;
    if (size < 1e-300 ? rest + rest >= size : rest >= 0.5 * size) rest -= size;
    return signbit(x) ? -rest : rest;
}
PORTER_HD_INLINE double remainder(double x, double y) {
    return isnan(x) || isnan(y) || isinf(x) || y == 0.0 ? __builtin_nan("") : isinf(y) ? x : porter_remainder(x, y);
}
PORTER_HD_INLINE float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
PORTER_HD_INLINE double remquo(double x, double y, int* quotient) {
    const double rest = remainder(x, y);
    const double near = fmod(fabs(x), 8.0 * fabs(y));
    const double multiple = isinf(y) ? 0.0 : rint((near - remainder(near, y)) / fabs(y));
    const int low = isfinite(multiple) ? (int)multiple & 7 : 0;
    *quotient = signbit(x) != signbit(y) ? -low : low;
    return rest;
}
PORTER_HD_INLINE float remquof(float x, float y, int* quotient) { return (float)remquo((double)x, (double)y, quotient); }

// --- multiples of pi: the argument is brought to a quarter turn, which is exact ---

PORTER_HD_INLINE double porter_quarter(double x) { return x - 0.5 * rint(2.0 * x); }
PORTER_HD_INLINE int porter_quadrant(double x) {
    const double turned = rint(2.0 * x);
    return (int)(turned - 4.0 * floor(0.25 * turned));
}
PORTER_HD_INLINE double sinpi(double x) {
    const int quadrant = porter_quadrant(x);
    const double angle = 3.141592653589793 * porter_quarter(x);
    const double size = quadrant & 1 ? cos(angle) : sin(angle);
    return isfinite(x) ? quadrant & 2 ? -size : size : __builtin_nan("");
}
PORTER_HD_INLINE double cospi(double x) {
    const int quadrant = porter_quadrant(x);
    const double angle = 3.141592653589793 * porter_quarter(x);
    const double size = quadrant & 1 ? sin(angle) : cos(angle);
    return isfinite(x) ? quadrant == 1 || quadrant == 2 ? -size : size : __builtin_nan("");
}
PORTER_HD_INLINE float sinpif(float x) { return (float)sinpi((double)x); }
PORTER_HD_INLINE float cospif(float x) { return (float)cospi((double)x); }
PORTER_HD_INLINE float sinpi(float x) { return sinpif(x); }
PORTER_HD_INLINE float cospi(float x) { return cospif(x); }

// --- the normal distribution ---

PORTER_HD_INLINE double normcdf(double x) { return 0.5 * erfc(-0.7071067811865476 * x); }
PORTER_HD_INLINE float normcdff(float x) { return (float)normcdf((double)x); }
PORTER_HD_INLINE float normcdf(float x) { return normcdff(x); }

// --- roots of sums of squares: in float64, or scaled, so that squares do not overflow ---

PORTER_HD_INLINE float norm3df(float x, float y, float z) {
    return (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
PORTER_HD_INLINE float norm4df(float x, float y, float z, float w) {
    return (float)sqrt((double)x * x + (double)y * y + ((double)z * z + (double)w * w));
}
PORTER_HD_INLINE float rnorm3df(float x, float y, float z) {
    return (float)(1.0 / sqrt((double)x * x + (double)y * y + (double)z * z));
}
PORTER_HD_INLINE float rnorm4df(float x, float y, float z, float w) {
    return (float)(1.0 / sqrt((double)x * x + (double)y * y + ((double)z * z + (double)w * w)));
}
PORTER_HD_INLINE double norm4d(double x, double y, double z, double w) {
    const double largest = fmax(fmax(fabs(x), fabs(y)), fmax(fabs(z), fabs(w)));
    const double scale = largest > 0.0 && isfinite(largest) ? largest : 1.0;
    const double a = x / scale, b = y / scale, c = z / scale, d = w / scale;
    return isinf(largest) ? largest : scale * sqrt(a * a + b * b + (c * c + d * d));
}
PORTER_HD_INLINE double norm3d(double x, double y, double z) { return norm4d(x, y, z, 0.0); }
PORTER_HD_INLINE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
PORTER_HD_INLINE double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
PORTER_HD_INLINE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
PORTER_HD_INLINE float rhypotf(float x, float y) { return (float)(1.0 / sqrt((double)x * x + (double)y * y)); }
PORTER_HD_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
PORTER_HD_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }

// --- conversions and products that round in a direction: what rounding to nearest overshot is taken back ---

PORTER_HD_INLINE float porter_towards_zero(double x) {
    const float near = (float)x;
    return fabs((double)near) > fabs(x) ? nextafterf(near, 0.0f) : near;
}
PORTER_HD_INLINE float porter_down(double x) {
    const float near = (float)x;
    return (double)near > x ? nextafterf(near, -__builtin_inff()) : near;
}
PORTER_HD_INLINE float porter_up(double x) {
    const float near = (float)x;
    return (double)near < x ? nextafterf(near, __builtin_inff()) : near;
}
#define PORTER_ROUNDED(from, type)                                                              \
    PORTER_HD_INLINE float __##from##2float_rz(type x) { return porter_towards_zero((double)x); } \
    PORTER_HD_INLINE float __##from##2float_rd(type x) { return porter_down((double)x); }         \
    PORTER_HD_INLINE float __##from##2float_ru(type x) { return porter_up((double)x); }
PORTER_ROUNDED(double, double)
PORTER_ROUNDED(int, int)
PORTER_ROUNDED(uint, unsigned int)
#undef PORTER_ROUNDED
PORTER_D inline float __fmul_rz(float x, float y) { return porter_towards_zero((double)x * y); }
PORTER_D inline float __fmul_rd(float x, float y) { return porter_down((double)x * y); }
PORTER_D inline float __fmul_ru(float x, float y) { return porter_up((double)x * y); }
