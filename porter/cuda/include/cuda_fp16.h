// Half precision: `__half` is the compiler's own 16-bit float, so arithmetic and conversions are typed natively.
#pragma once
#include "cuda_runtime.h"
typedef _Float16 __half;
typedef _Float16 half;
struct __align__(4) __half2 {
    _Float16 x, y;
    __half2() = default;
    PORTER_HD constexpr __half2(_Float16 a, _Float16 b) : x(a), y(b) {}
};
typedef __half2 half2;
struct __half_raw { unsigned short x; };
PORTER_HD __half2 make_half2(__half x, __half y);
PORTER_HD __half2 __halves2half2(__half x, __half y);
PORTER_HD __half2 __float2half2_rn(float x);
PORTER_HD __half2 __floats2half2_rn(float x, float y);
PORTER_HD __half2 __float22half2_rn(float2 x);
PORTER_HD __half2 __half2half2(__half x);
PORTER_HD float2 __half22float2(__half2 x);
PORTER_HD float __low2float(__half2 x);
PORTER_HD float __high2float(__half2 x);
PORTER_HD __half __low2half(__half2 x);
PORTER_HD __half __high2half(__half2 x);
PORTER_HD float __half2float(__half x);
PORTER_HD __half __float2half(float x);
PORTER_HD __half __float2half_rn(float x);
PORTER_HD __half __double2half(double x);
PORTER_HD __half __int2half_rn(int x);
PORTER_HD int __half2int_rn(__half x);
PORTER_HD int __half2int_rz(__half x);
PORTER_HD unsigned short __half_as_ushort(__half x);
PORTER_HD short __half_as_short(__half x);
PORTER_HD __half __ushort_as_half(unsigned short x);
PORTER_HD __half __short_as_half(short x);
#define PORTER_HALF_BINARY(name) PORTER_HD __half name(__half a, __half b); PORTER_HD __half2 name##2(__half2 a, __half2 b);
PORTER_HALF_BINARY(__hadd)
PORTER_HALF_BINARY(__hsub)
PORTER_HALF_BINARY(__hmul)
PORTER_HALF_BINARY(__hmax)
PORTER_HALF_BINARY(__hmin)
PORTER_HALF_BINARY(__hadd_rn)
PORTER_HALF_BINARY(__hmul_rn)
#undef PORTER_HALF_BINARY
PORTER_HD __half __hdiv(__half a, __half b);
PORTER_HD __half2 __h2div(__half2 a, __half2 b);
PORTER_HD __half __hneg(__half a);
PORTER_HD __half2 __hneg2(__half2 a);
PORTER_HD __half __habs(__half a);
PORTER_HD __half __hfma(__half a, __half b, __half c);
PORTER_HD __half2 __hfma2(__half2 a, __half2 b, __half2 c);
PORTER_HD bool __heq(__half a, __half b);
PORTER_HD bool __hne(__half a, __half b);
PORTER_HD bool __hlt(__half a, __half b);
PORTER_HD bool __hle(__half a, __half b);
PORTER_HD bool __hgt(__half a, __half b);
PORTER_HD bool __hge(__half a, __half b);
PORTER_HD bool __hisnan(__half a);
PORTER_D __half hexp(__half x);
PORTER_D __half hlog(__half x);
PORTER_D __half hsqrt(__half x);
PORTER_D __half hrsqrt(__half x);
PORTER_D __half hrcp(__half x);
PORTER_D __half hsin(__half x);
PORTER_D __half hcos(__half x);
PORTER_D __half htanh(__half x);
PORTER_D __half hfloor(__half x);
PORTER_D __half hceil(__half x);
PORTER_HD __half2 operator+(const __half2& a, const __half2& b);
PORTER_HD __half2 operator-(const __half2& a, const __half2& b);
PORTER_HD __half2 operator*(const __half2& a, const __half2& b);
PORTER_HD __half2 operator/(const __half2& a, const __half2& b);
PORTER_HD __half2& operator+=(__half2& a, const __half2& b);
PORTER_HD __half2& operator*=(__half2& a, const __half2& b);
PORTER_D __half2 atomicAdd(__half2* address, __half2 value);
PORTER_D __half2 __shfl_down_sync(unsigned int mask, __half2 value, unsigned int delta, int width = 32);
PORTER_D __half2 __shfl_xor_sync(unsigned int mask, __half2 value, int lanes, int width = 32);
