// CUDA's 8-bit floating types, over the simulator.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "porter_sim/float8.h"
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define PORTER_F8(name) __nv_##name
#define PORTER_F8_VENDOR ::porter_sim::Vendor::nvidia
#define PORTER_BF16 __nv_bfloat16
#define PORTER_BF162 __nv_bfloat162
#define PORTER_BF16_RAW __nv_bfloat16_raw
#define PORTER_BF162_RAW __nv_bfloat162_raw
#include "porter_sim/float8_face.h"
PORTER_F8_TYPE(e4m3, e4m3)
PORTER_F8_TYPE(e5m2, e5m2)
