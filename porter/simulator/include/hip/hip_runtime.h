// HIP's runtime header, over the simulator.
#pragma once
#pragma GCC system_header

#include "porter_sim/hip_atomics.h"
#include "porter_sim/hip_warp.h"
#if PORTER_SIM_LANES == 64
#include "porter_sim/hip_matrix_cores.h"
#endif
#include "porter_sim/intrinsics.h"
#include "porter_sim/math.h"
#include "porter_sim/shared.h"

#define __HIPCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __AMDGCN_WAVEFRONT_SIZE PORTER_SIM_LANES
#define __AMDGCN_WAVEFRONT_SIZE__ PORTER_SIM_LANES
#define __HIP__ 1
#define __HIP_PLATFORM_AMD__ 1
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 1
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 70100000

#define PORTER_API(name) hip##name
#define PORTER_RUNTIME_VERSION HIP_VERSION
#define PORTER_ERROR hipError_t
#define PORTER_MAKE(name) make_hip##name
#define PORTER_TEXTURE_OBJECT hipTextureObject_t
#define PORTER_SURFACE_OBJECT hipSurfaceObject_t
#define PORTER_ADDRESS_MODE hipTextureAddressMode
#define PORTER_FILTER_MODE hipTextureFilterMode
#define PORTER_READ_MODE hipTextureReadMode
#define PORTER_POOL_STATE ihipMemPoolHandle_t
#define PORTER_POOL_ATTRIBUTE hipMemPoolAttr
#define PORTER_BOUNDARY hipSurfaceBoundaryMode

#include "porter_sim/hip_types.h"

#include "porter_sim/api_face.h"

#include "porter_sim/hip_extra.h"
