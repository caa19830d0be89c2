// IEEE binary16 as both vendors name it.
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/intrinsics.h"
#include "porter_sim/small_float.h"

#define PORTER_H __half
#define PORTER_H2 __half2
#define PORTER_RAW __half_raw
#define PORTER_RAW2 __half2_raw
#define PORTER_FORMAT ::porter_sim::HalfFormat
#define PORTER_NAME16 half
#define PORTER_NAME162 half2
#include "porter_sim/float16_face.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
inline __half2 __half2half2(__half x) { return {x, x}; }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
