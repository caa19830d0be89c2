// bfloat16: `__nv_bfloat16` is the compiler's own type.
#pragma once
#include "cuda_runtime.h"
typedef __bf16 __nv_bfloat16;
typedef __bf16 nv_bfloat16;
struct __align__(4) __nv_bfloat162 {
    __bf16 x, y;
    __nv_bfloat162() = default;
    PORTER_HD constexpr __nv_bfloat162(__bf16 a, __bf16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
PORTER_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
PORTER_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
PORTER_HD __nv_bfloat162 __float2bfloat162_rn(float x);
PORTER_HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y);
PORTER_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x);
PORTER_HD float2 __bfloat1622float2(__nv_bfloat162 x);
PORTER_HD float __low2float(__nv_bfloat162 x);
PORTER_HD float __high2float(__nv_bfloat162 x);
PORTER_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x);
PORTER_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x);
PORTER_HD float __bfloat162float(__nv_bfloat16 x);
PORTER_HD __nv_bfloat16 __float2bfloat16(float x);
PORTER_HD __nv_bfloat16 __float2bfloat16_rn(float x);
PORTER_HD __nv_bfloat16 __double2bfloat16(double x);
PORTER_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 x);
PORTER_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short x);
#define PORTER_BFLOAT_BINARY(name) PORTER_HD __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b); PORTER_HD __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b);
PORTER_BFLOAT_BINARY(__hadd)
PORTER_BFLOAT_BINARY(__hsub)
PORTER_BFLOAT_BINARY(__hmul)
PORTER_BFLOAT_BINARY(__hmax)
PORTER_BFLOAT_BINARY(__hmin)
#undef PORTER_BFLOAT_BINARY
PORTER_HD __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b);
PORTER_HD __nv_bfloat16 __hneg(__nv_bfloat16 a);
PORTER_HD __nv_bfloat16 __habs(__nv_bfloat16 a);
PORTER_HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c);
PORTER_HD __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c);
PORTER_D __nv_bfloat16 hexp(__nv_bfloat16 x);
PORTER_D __nv_bfloat16 hsqrt(__nv_bfloat16 x);
PORTER_D __nv_bfloat16 hrsqrt(__nv_bfloat16 x);
PORTER_HD bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b);
PORTER_HD bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b);
PORTER_D __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value);
PORTER_D __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value);
PORTER_D __nv_bfloat16 __shfl_down_sync(unsigned int mask, __nv_bfloat16 value, unsigned int delta, int width = 32);
PORTER_D __nv_bfloat16 __shfl_xor_sync(unsigned int mask, __nv_bfloat16 value, int lanes, int width = 32);
