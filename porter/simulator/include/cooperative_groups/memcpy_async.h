// Cooperative groups, over the simulator.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
#include "porter_sim/cooperative.h"
