// Math functions: the C names for double, the `f` names and the C++ overloads for float.
#pragma once
#include "porter_host_defines.h"

PORTER_HD double acos(double x);
PORTER_HD float acos(float x);
PORTER_HD float acosf(float x);
PORTER_HD double acosh(double x);
PORTER_HD float acosh(float x);
PORTER_HD float acoshf(float x);
PORTER_HD double asin(double x);
PORTER_HD float asin(float x);
PORTER_HD float asinf(float x);
PORTER_HD double asinh(double x);
PORTER_HD float asinh(float x);
PORTER_HD float asinhf(float x);
PORTER_HD double atan(double x);
PORTER_HD float atan(float x);
PORTER_HD float atanf(float x);
PORTER_HD double atanh(double x);
PORTER_HD float atanh(float x);
PORTER_HD float atanhf(float x);
PORTER_HD double cbrt(double x);
PORTER_HD float cbrt(float x);
PORTER_HD float cbrtf(float x);
PORTER_HD double ceil(double x);
PORTER_HD float ceil(float x);
PORTER_HD float ceilf(float x);
PORTER_HD double cos(double x);
PORTER_HD float cos(float x);
PORTER_HD float cosf(float x);
PORTER_HD double cosh(double x);
PORTER_HD float cosh(float x);
PORTER_HD float coshf(float x);
PORTER_HD double cospi(double x);
PORTER_HD float cospi(float x);
PORTER_HD float cospif(float x);
PORTER_HD double cyl_bessel_i0(double x);
PORTER_HD float cyl_bessel_i0(float x);
PORTER_HD float cyl_bessel_i0f(float x);
PORTER_HD double cyl_bessel_i1(double x);
PORTER_HD float cyl_bessel_i1(float x);
PORTER_HD float cyl_bessel_i1f(float x);
PORTER_HD double erf(double x);
PORTER_HD float erf(float x);
PORTER_HD float erff(float x);
PORTER_HD double erfc(double x);
PORTER_HD float erfc(float x);
PORTER_HD float erfcf(float x);
PORTER_HD double erfcinv(double x);
PORTER_HD float erfcinv(float x);
PORTER_HD float erfcinvf(float x);
PORTER_HD double erfcx(double x);
PORTER_HD float erfcx(float x);
PORTER_HD float erfcxf(float x);
PORTER_HD double erfinv(double x);
PORTER_HD float erfinv(float x);
PORTER_HD float erfinvf(float x);
PORTER_HD double exp(double x);
PORTER_HD float exp(float x);
PORTER_HD float expf(float x);
PORTER_HD double exp10(double x);
PORTER_HD float exp10(float x);
PORTER_HD float exp10f(float x);
PORTER_HD double exp2(double x);
PORTER_HD float exp2(float x);
PORTER_HD float exp2f(float x);
PORTER_HD double expm1(double x);
PORTER_HD float expm1(float x);
PORTER_HD float expm1f(float x);
PORTER_HD double fabs(double x);
PORTER_HD float fabs(float x);
PORTER_HD float fabsf(float x);
PORTER_HD double floor(double x);
PORTER_HD float floor(float x);
PORTER_HD float floorf(float x);
PORTER_HD double j0(double x);
PORTER_HD float j0(float x);
PORTER_HD float j0f(float x);
PORTER_HD double j1(double x);
PORTER_HD float j1(float x);
PORTER_HD float j1f(float x);
PORTER_HD double lgamma(double x);
PORTER_HD float lgamma(float x);
PORTER_HD float lgammaf(float x);
PORTER_HD double log(double x);
PORTER_HD float log(float x);
PORTER_HD float logf(float x);
PORTER_HD double log10(double x);
PORTER_HD float log10(float x);
PORTER_HD float log10f(float x);
PORTER_HD double log1p(double x);
PORTER_HD float log1p(float x);
PORTER_HD float log1pf(float x);
PORTER_HD double log2(double x);
PORTER_HD float log2(float x);
PORTER_HD float log2f(float x);
PORTER_HD double logb(double x);
PORTER_HD float logb(float x);
PORTER_HD float logbf(float x);
PORTER_HD double nearbyint(double x);
PORTER_HD float nearbyint(float x);
PORTER_HD float nearbyintf(float x);
PORTER_HD double normcdf(double x);
PORTER_HD float normcdf(float x);
PORTER_HD float normcdff(float x);
PORTER_HD double normcdfinv(double x);
PORTER_HD float normcdfinv(float x);
PORTER_HD float normcdfinvf(float x);
PORTER_HD double rcbrt(double x);
PORTER_HD float rcbrt(float x);
PORTER_HD float rcbrtf(float x);
PORTER_HD double rint(double x);
PORTER_HD float rint(float x);
PORTER_HD float rintf(float x);
PORTER_HD double round(double x);
PORTER_HD float round(float x);
PORTER_HD float roundf(float x);
PORTER_HD double rsqrt(double x);
PORTER_HD float rsqrt(float x);
PORTER_HD float rsqrtf(float x);
PORTER_HD double sin(double x);
PORTER_HD float sin(float x);
PORTER_HD float sinf(float x);
PORTER_HD double sinh(double x);
PORTER_HD float sinh(float x);
PORTER_HD float sinhf(float x);
PORTER_HD double sinpi(double x);
PORTER_HD float sinpi(float x);
PORTER_HD float sinpif(float x);
PORTER_HD double sqrt(double x);
PORTER_HD float sqrt(float x);
PORTER_HD float sqrtf(float x);
PORTER_HD double tan(double x);
PORTER_HD float tan(float x);
PORTER_HD float tanf(float x);
PORTER_HD double tanh(double x);
PORTER_HD float tanh(float x);
PORTER_HD float tanhf(float x);
PORTER_HD double tgamma(double x);
PORTER_HD float tgamma(float x);
PORTER_HD float tgammaf(float x);
PORTER_HD double trunc(double x);
PORTER_HD float trunc(float x);
PORTER_HD float truncf(float x);
PORTER_HD double y0(double x);
PORTER_HD float y0(float x);
PORTER_HD float y0f(float x);
PORTER_HD double y1(double x);
PORTER_HD float y1(float x);
PORTER_HD float y1f(float x);
PORTER_HD double atan2(double x, double y);
PORTER_HD float atan2(float x, float y);
PORTER_HD float atan2f(float x, float y);
PORTER_HD double copysign(double x, double y);
PORTER_HD float copysign(float x, float y);
PORTER_HD float copysignf(float x, float y);
PORTER_HD double fdim(double x, double y);
PORTER_HD float fdim(float x, float y);
PORTER_HD float fdimf(float x, float y);
PORTER_HD double fdivide(double x, double y);
PORTER_HD float fdivide(float x, float y);
PORTER_HD float fdividef(float x, float y);
PORTER_HD double fmax(double x, double y);
PORTER_HD float fmax(float x, float y);
PORTER_HD float fmaxf(float x, float y);
PORTER_HD double fmin(double x, double y);
PORTER_HD float fmin(float x, float y);
PORTER_HD float fminf(float x, float y);
PORTER_HD double fmod(double x, double y);
PORTER_HD float fmod(float x, float y);
PORTER_HD float fmodf(float x, float y);
PORTER_HD double hypot(double x, double y);
PORTER_HD float hypot(float x, float y);
PORTER_HD float hypotf(float x, float y);
PORTER_HD double nextafter(double x, double y);
PORTER_HD float nextafter(float x, float y);
PORTER_HD float nextafterf(float x, float y);
PORTER_HD double pow(double x, double y);
PORTER_HD float pow(float x, float y);
PORTER_HD float powf(float x, float y);
PORTER_HD double remainder(double x, double y);
PORTER_HD float remainder(float x, float y);
PORTER_HD float remainderf(float x, float y);
PORTER_HD double fma(double x, double y, double z);
PORTER_HD float fma(float x, float y, float z);
PORTER_HD float fmaf(float x, float y, float z);
PORTER_HD double ldexp(double x, int exponent);
PORTER_HD float ldexp(float x, int exponent);
PORTER_HD float ldexpf(float x, int exponent);
PORTER_HD double scalbn(double x, int exponent);
PORTER_HD float scalbnf(float x, int exponent);
PORTER_HD double frexp(double x, int* exponent);
PORTER_HD float frexp(float x, int* exponent);
PORTER_HD float frexpf(float x, int* exponent);
PORTER_HD double modf(double x, double* whole);
PORTER_HD float modff(float x, float* whole);
PORTER_HD int ilogb(double x);
PORTER_HD int ilogbf(float x);
PORTER_HD long lround(double x);
PORTER_HD long lroundf(float x);
PORTER_HD long lrint(double x);
PORTER_HD long lrintf(float x);
PORTER_HD long long llround(double x);
PORTER_HD long long llrint(double x);
PORTER_HD double norm3d(double x, double y, double z);
PORTER_HD float norm3df(float x, float y, float z);
PORTER_HD double rhypot(double x, double y);
PORTER_HD float rhypotf(float x, float y);
PORTER_HD void sincos(double x, double* sine, double* cosine);
PORTER_HD void sincosf(float x, float* sine, float* cosine);
PORTER_HD void sincospi(double x, double* sine, double* cosine);
PORTER_HD void sincospif(float x, float* sine, float* cosine);
PORTER_HD int abs(int x);
PORTER_HD long abs(long x);
PORTER_HD long long abs(long long x);
PORTER_HD float abs(float x);
PORTER_HD double abs(double x);
PORTER_HD long labs(long x);
PORTER_HD long long llabs(long long x);
PORTER_HD float saturate(float x);
PORTER_HD float __saturatef(float x);
PORTER_HD constexpr int min(int a, int b) { return a < b ? a : b; }
PORTER_HD constexpr unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
PORTER_HD constexpr long min(long a, long b) { return a < b ? a : b; }
PORTER_HD constexpr unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
PORTER_HD constexpr long long min(long long a, long long b) { return a < b ? a : b; }
PORTER_HD constexpr unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
PORTER_HD constexpr float min(float a, float b) { return a < b ? a : b; }
PORTER_HD constexpr double min(double a, double b) { return a < b ? a : b; }
PORTER_HD constexpr unsigned int min(int a, unsigned int b) { return (unsigned int)a < (unsigned int)b ? (unsigned int)a : (unsigned int)b; }
PORTER_HD constexpr unsigned int min(unsigned int a, int b) { return (unsigned int)a < (unsigned int)b ? (unsigned int)a : (unsigned int)b; }
PORTER_HD constexpr double min(float a, double b) { return (double)a < (double)b ? (double)a : (double)b; }
PORTER_HD constexpr double min(double a, float b) { return (double)a < (double)b ? (double)a : (double)b; }
PORTER_HD constexpr unsigned long min(long a, unsigned long b) { return (unsigned long)a < (unsigned long)b ? (unsigned long)a : (unsigned long)b; }
PORTER_HD constexpr unsigned long min(unsigned long a, long b) { return (unsigned long)a < (unsigned long)b ? (unsigned long)a : (unsigned long)b; }
PORTER_HD constexpr unsigned long long min(long long a, unsigned long long b) { return (unsigned long long)a < (unsigned long long)b ? (unsigned long long)a : (unsigned long long)b; }
PORTER_HD constexpr unsigned long long min(unsigned long long a, long long b) { return (unsigned long long)a < (unsigned long long)b ? (unsigned long long)a : (unsigned long long)b; }
PORTER_HD constexpr int max(int a, int b) { return a > b ? a : b; }
PORTER_HD constexpr unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
PORTER_HD constexpr long max(long a, long b) { return a > b ? a : b; }
PORTER_HD constexpr unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
PORTER_HD constexpr long long max(long long a, long long b) { return a > b ? a : b; }
PORTER_HD constexpr unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
PORTER_HD constexpr float max(float a, float b) { return a > b ? a : b; }
PORTER_HD constexpr double max(double a, double b) { return a > b ? a : b; }
PORTER_HD constexpr unsigned int max(int a, unsigned int b) { return (unsigned int)a > (unsigned int)b ? (unsigned int)a : (unsigned int)b; }
PORTER_HD constexpr unsigned int max(unsigned int a, int b) { return (unsigned int)a > (unsigned int)b ? (unsigned int)a : (unsigned int)b; }
PORTER_HD constexpr double max(float a, double b) { return (double)a > (double)b ? (double)a : (double)b; }
PORTER_HD constexpr double max(double a, float b) { return (double)a > (double)b ? (double)a : (double)b; }
PORTER_HD constexpr unsigned long max(long a, unsigned long b) { return (unsigned long)a > (unsigned long)b ? (unsigned long)a : (unsigned long)b; }
PORTER_HD constexpr unsigned long max(unsigned long a, long b) { return (unsigned long)a > (unsigned long)b ? (unsigned long)a : (unsigned long)b; }
PORTER_HD constexpr unsigned long long max(long long a, unsigned long long b) { return (unsigned long long)a > (unsigned long long)b ? (unsigned long long)a : (unsigned long long)b; }
PORTER_HD constexpr unsigned long long max(unsigned long long a, long long b) { return (unsigned long long)a > (unsigned long long)b ? (unsigned long long)a : (unsigned long long)b; }
PORTER_HD unsigned int umin(unsigned int a, unsigned int b);
PORTER_HD unsigned int umax(unsigned int a, unsigned int b);
PORTER_HD bool isnan(float x);
PORTER_HD bool isnan(double x);
PORTER_HD bool isinf(float x);
PORTER_HD bool isinf(double x);
PORTER_HD bool isfinite(float x);
PORTER_HD bool isfinite(double x);
PORTER_HD bool signbit(float x);
PORTER_HD bool signbit(double x);

// Integer arguments compute in double, as in C++11.
template <bool B, class T = void> struct porter_enable_if {};
template <class T> struct porter_enable_if<true, T> { typedef T type; };
template <class T> struct porter_is_integer { static constexpr bool value = false; };
template <> struct porter_is_integer<bool> { static constexpr bool value = true; };
template <> struct porter_is_integer<char> { static constexpr bool value = true; };
template <> struct porter_is_integer<signed char> { static constexpr bool value = true; };
template <> struct porter_is_integer<unsigned char> { static constexpr bool value = true; };
template <> struct porter_is_integer<short> { static constexpr bool value = true; };
template <> struct porter_is_integer<unsigned short> { static constexpr bool value = true; };
template <> struct porter_is_integer<int> { static constexpr bool value = true; };
template <> struct porter_is_integer<unsigned int> { static constexpr bool value = true; };
template <> struct porter_is_integer<long> { static constexpr bool value = true; };
template <> struct porter_is_integer<unsigned long> { static constexpr bool value = true; };
template <> struct porter_is_integer<long long> { static constexpr bool value = true; };
template <> struct porter_is_integer<unsigned long long> { static constexpr bool value = true; };
#define PORTER_MATH_OF_INTEGER(name) \
    template <class T> PORTER_HD inline typename porter_enable_if<porter_is_integer<T>::value, double>::type name(T x) { return name((double)x); }
PORTER_MATH_OF_INTEGER(acos)
PORTER_MATH_OF_INTEGER(asin)
PORTER_MATH_OF_INTEGER(atan)
PORTER_MATH_OF_INTEGER(cbrt)
PORTER_MATH_OF_INTEGER(ceil)
PORTER_MATH_OF_INTEGER(cos)
PORTER_MATH_OF_INTEGER(cosh)
PORTER_MATH_OF_INTEGER(erf)
PORTER_MATH_OF_INTEGER(exp)
PORTER_MATH_OF_INTEGER(exp2)
PORTER_MATH_OF_INTEGER(expm1)
PORTER_MATH_OF_INTEGER(fabs)
PORTER_MATH_OF_INTEGER(floor)
PORTER_MATH_OF_INTEGER(log)
PORTER_MATH_OF_INTEGER(log10)
PORTER_MATH_OF_INTEGER(log1p)
PORTER_MATH_OF_INTEGER(log2)
PORTER_MATH_OF_INTEGER(round)
PORTER_MATH_OF_INTEGER(sin)
PORTER_MATH_OF_INTEGER(sinh)
PORTER_MATH_OF_INTEGER(sqrt)
PORTER_MATH_OF_INTEGER(tan)
PORTER_MATH_OF_INTEGER(tanh)
PORTER_MATH_OF_INTEGER(trunc)
PORTER_MATH_OF_INTEGER(rsqrt)
#undef PORTER_MATH_OF_INTEGER
template <class A, class B> struct porter_is_mixed { static constexpr bool value = porter_is_integer<A>::value || porter_is_integer<B>::value; };
template <> struct porter_is_mixed<float, double> { static constexpr bool value = true; };
template <> struct porter_is_mixed<double, float> { static constexpr bool value = true; };
#define PORTER_MATH_OF_MIXED(name) \
    template <class A, class B> PORTER_HD inline typename porter_enable_if<porter_is_mixed<A, B>::value, double>::type name(A x, B y) { return name((double)x, (double)y); }
PORTER_MATH_OF_MIXED(pow)
PORTER_MATH_OF_MIXED(fmax)
PORTER_MATH_OF_MIXED(fmin)
PORTER_MATH_OF_MIXED(fmod)
PORTER_MATH_OF_MIXED(atan2)
PORTER_MATH_OF_MIXED(hypot)
#undef PORTER_MATH_OF_MIXED

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_INF (__builtin_inf())
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f
