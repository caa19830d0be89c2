// CUDA's bfloat16, over the simulator.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
#define PORTER_BFLOAT16 __nv_bfloat16
#define PORTER_BFLOAT162 __nv_bfloat162
#define PORTER_BFLOAT16_RAW __nv_bfloat16_raw
#define PORTER_BFLOAT162_RAW __nv_bfloat162_raw
#include "porter_sim/bfloat16.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
