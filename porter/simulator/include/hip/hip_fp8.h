// HIP's 8-bit floating types, over the simulator: OCP's, and the FNUZ ones of gfx942.
#pragma once
#pragma GCC system_header
#include "hip/hip_bf16.h"
#include "hip/hip_fp16.h"
#include "porter_sim/float8.h"
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1
enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE };
enum __hip_fp8_interpretation_t { __HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ };
#define PORTER_F8(name) __hip_##name
#define PORTER_F8_VENDOR ::porter_sim::Vendor::amd
#define PORTER_BF16 __hip_bfloat16
#define PORTER_BF162 __hip_bfloat162
#define PORTER_BF16_RAW __hip_bfloat16_raw
#define PORTER_BF162_RAW __hip_bfloat162_raw
#include "porter_sim/float8_face.h"
PORTER_F8_TYPE(e4m3, e4m3)
PORTER_F8_TYPE(e5m2, e5m2)
PORTER_F8_TYPE(e4m3_fnuz, e4m3_fnuz)
PORTER_F8_TYPE(e5m2_fnuz, e5m2_fnuz)
