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

// --- functions of pairs, component by component, and functions made of others ---

PORTER_HD inline __half2& operator-=(__half2& a, const __half2& b) { a = a - b; return a; }
PORTER_HD inline __half2& operator/=(__half2& a, const __half2& b) { a = a / b; return a; }
PORTER_HD inline __half2 operator-(const __half2& a) { return make_half2(-a.x, -a.y); }
PORTER_D inline __half hexp2(__half x) { return __float2half(exp2f(__half2float(x))); }
PORTER_D inline __half hexp10(__half x) { return __float2half(exp10f(__half2float(x))); }
PORTER_D inline __half hlog2(__half x) { return __float2half(log2f(__half2float(x))); }
PORTER_D inline __half hlog10(__half x) { return __float2half(log10f(__half2float(x))); }
PORTER_D inline __half hrint(__half x) { return __float2half(rintf(__half2float(x))); }
PORTER_D inline __half htrunc(__half x) { return __float2half(truncf(__half2float(x))); }
PORTER_HD inline __half porter_unit(__half x) {
    const float size = __half2float(x);
    return __float2half(size > 0.0f ? fminf(size, 1.0f) : 0.0f);
}
PORTER_HD inline __half __hadd_sat(__half a, __half b) { return porter_unit(__hadd(a, b)); }
PORTER_HD inline __half __hsub_sat(__half a, __half b) { return porter_unit(__hsub(a, b)); }
PORTER_HD inline __half __hmul_sat(__half a, __half b) { return porter_unit(__hmul(a, b)); }
PORTER_HD inline __half __hfma_sat(__half a, __half b, __half c) { return porter_unit(__hfma(a, b, c)); }
PORTER_HD inline __half __hfma_relu(__half a, __half b, __half c) { return __hmax(__hfma(a, b, c), __float2half(0.0f)); }
#define PORTER_OF_PAIR(name, scalar) \
    PORTER_D inline __half2 name(__half2 a) { return make_half2(scalar(a.x), scalar(a.y)); }
#define PORTER_OF_PAIRS(name, scalar) \
    PORTER_HD inline __half2 name(__half2 a, __half2 b) { return make_half2(scalar(a.x, b.x), scalar(a.y, b.y)); }
#define PORTER_COMPARED_PAIRS(op)                                                                            \
    PORTER_HD inline __half2 __h##op##2(__half2 a, __half2 b) {                                              \
        return make_half2(__float2half(__h##op(a.x, b.x) ? 1.0f : 0.0f), __float2half(__h##op(a.y, b.y) ? 1.0f : 0.0f)); \
    }                                                                                                        \
    PORTER_HD inline bool __hb##op##2(__half2 a, __half2 b) { return __h##op(a.x, b.x) && __h##op(a.y, b.y); }
PORTER_OF_PAIR(h2exp, hexp)
PORTER_OF_PAIR(h2exp2, hexp2)
PORTER_OF_PAIR(h2exp10, hexp10)
PORTER_OF_PAIR(h2log, hlog)
PORTER_OF_PAIR(h2log2, hlog2)
PORTER_OF_PAIR(h2log10, hlog10)
PORTER_OF_PAIR(h2sqrt, hsqrt)
PORTER_OF_PAIR(h2rsqrt, hrsqrt)
PORTER_OF_PAIR(h2rcp, hrcp)
PORTER_OF_PAIR(h2sin, hsin)
PORTER_OF_PAIR(h2cos, hcos)
PORTER_OF_PAIR(h2floor, hfloor)
PORTER_OF_PAIR(h2ceil, hceil)
PORTER_OF_PAIR(h2rint, hrint)
PORTER_OF_PAIR(h2trunc, htrunc)
PORTER_OF_PAIR(__habs2, __habs)
PORTER_OF_PAIRS(__hadd2_sat, __hadd_sat)
PORTER_OF_PAIRS(__hsub2_sat, __hsub_sat)
PORTER_OF_PAIRS(__hmul2_sat, __hmul_sat)
PORTER_COMPARED_PAIRS(eq)
PORTER_COMPARED_PAIRS(ne)
PORTER_COMPARED_PAIRS(lt)
PORTER_COMPARED_PAIRS(le)
PORTER_COMPARED_PAIRS(gt)
PORTER_COMPARED_PAIRS(ge)
#undef PORTER_OF_PAIR
#undef PORTER_OF_PAIRS
#undef PORTER_COMPARED_PAIRS
PORTER_HD inline __half2 __lowhigh2highlow(__half2 a) { return make_half2(a.y, a.x); }
PORTER_HD inline __half2 __low2half2(__half2 a) { return make_half2(a.x, a.x); }
PORTER_HD inline __half2 __high2half2(__half2 a) { return make_half2(a.y, a.y); }
PORTER_HD inline __half2 __lows2half2(__half2 a, __half2 b) { return make_half2(a.x, b.x); }
PORTER_HD inline __half2 __highs2half2(__half2 a, __half2 b) { return make_half2(a.y, b.y); }
PORTER_HD inline bool __hisinf(__half x) { return isinf(__half2float(x)); }
