// HIP's half precision, over the simulator.
#pragma once
#pragma GCC system_header
#include "hip/hip_runtime.h"
#include "porter_sim/half.h"
