// hipCUB, over the simulator.
#pragma once
#pragma GCC system_header

#include "hip/hip_runtime.h"

#define HIPCUB_VERSION 400000
#define HIPCUB_WARP_THREADS ::porter_sim::lanes
#define HIPCUB_DEVICE_WARP_THREADS ::porter_sim::lanes
#define HIPCUB_RUNTIME_FUNCTION

#define PORTER_CUB hipcub
#include "porter_sim/cub/cub.h"
#undef PORTER_CUB
