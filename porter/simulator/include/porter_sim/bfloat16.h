// bfloat16 under the name that the including face gives it in PORTER_BFLOAT16, PORTER_BFLOAT162 and the names of
// their bits.
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/intrinsics.h"
#include "porter_sim/small_float.h"

#define PORTER_H PORTER_BFLOAT16
#define PORTER_H2 PORTER_BFLOAT162
#define PORTER_RAW PORTER_BFLOAT16_RAW
#define PORTER_RAW2 PORTER_BFLOAT162_RAW
#define PORTER_FORMAT ::porter_sim::BfloatFormat
#define PORTER_NAME16 bfloat16
#define PORTER_NAME162 bfloat162
#include "porter_sim/float16_face.h"

inline float2 __bfloat1622float2(PORTER_BFLOAT162 v) { return {float(v.x), float(v.y)}; }
inline PORTER_BFLOAT162 __bfloat162bfloat162(PORTER_BFLOAT16 x) { return {x, x}; }

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
