// bfloat16 under the name that the including face gives it in PORTER_BFLOAT16 and PORTER_BFLOAT162.
#pragma once

#include "porter_sim/intrinsics.h"
#include "porter_sim/small_float.h"

#define PORTER_FLOAT16 PORTER_BFLOAT16
#define PORTER_FLOAT16_2 PORTER_BFLOAT162
#define PORTER_FORMAT ::porter_sim::BfloatFormat
#define PORTER_NAME16 bfloat16
#define PORTER_NAME162 bfloat162
#include "porter_sim/float16_face.h"
#undef PORTER_FLOAT16
#undef PORTER_FLOAT16_2
#undef PORTER_FORMAT
#undef PORTER_NAME16
#undef PORTER_NAME162

inline float2 __bfloat1622float2(PORTER_BFLOAT162 v) { return {float(v.x), float(v.y)}; }
inline PORTER_BFLOAT162 __bfloat162bfloat162(PORTER_BFLOAT16 x) { return {x, x}; }
