// IEEE binary16 as both vendors name it.
#pragma once

#include "porter_sim/intrinsics.h"
#include "porter_sim/small_float.h"

#define PORTER_FLOAT16 __half
#define PORTER_FLOAT16_2 __half2
#define PORTER_FORMAT ::porter_sim::HalfFormat
#define PORTER_NAME16 half
#define PORTER_NAME162 half2
#include "porter_sim/float16_face.h"
#undef PORTER_FLOAT16
#undef PORTER_FLOAT16_2
#undef PORTER_FORMAT
#undef PORTER_NAME16
#undef PORTER_NAME162

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
