// HIP's bfloat16, over the simulator.
#pragma once
#pragma GCC system_header
#include "hip/hip_runtime.h"
#define PORTER_BFLOAT16 __hip_bfloat16
#define PORTER_BFLOAT162 __hip_bfloat162
#define PORTER_BFLOAT16_RAW __hip_bfloat16_raw
#define PORTER_BFLOAT162_RAW __hip_bfloat162_raw
#include "porter_sim/bfloat16.h"
