// CUB, over the simulator.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

#define CUB_VERSION 200700
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 7
#define CUB_SUBMINOR_VERSION 0
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_RUNTIME_FUNCTION

#define PORTER_CUB cub
#include "porter_sim/cub/cub.h"
#undef PORTER_CUB
