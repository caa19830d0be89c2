// CUDA's runtime header, over the simulator.
#pragma once
#pragma GCC system_header

#include "porter_sim/atomics.h"
#include "porter_sim/cuda_warp.h"
#include "porter_sim/intrinsics.h"
#include "porter_sim/math.h"
#include "porter_sim/ptx_convert.h"
#include "porter_sim/ptx_memory.h"
#include "porter_sim/ptx_warp.h"
#include "porter_sim/shared.h"

// One compilation serves host and device; what is asked about the architecture concerns device code. A file that
// nvcc would hand to the host's compiler sees neither.
#ifndef PORTER_SIM_HOST_FILE
#ifndef __CUDACC__
#define __CUDACC__
#endif
#define __NVCC__
#define __CUDA_ARCH__ 800
#endif
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define CUDARTAPI
#define CUDART_CB
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8

#define PORTER_API(name) cuda##name
#define PORTER_RUNTIME_VERSION CUDART_VERSION
#define PORTER_ERROR cudaError_t
#define PORTER_MAKE(name) make_cuda##name
#define PORTER_TEXTURE_OBJECT cudaTextureObject_t
#define PORTER_SURFACE_OBJECT cudaSurfaceObject_t
#define PORTER_ADDRESS_MODE cudaTextureAddressMode
#define PORTER_FILTER_MODE cudaTextureFilterMode
#define PORTER_READ_MODE cudaTextureReadMode
#define PORTER_POOL_STATE CUmemPoolHandle_st
#define PORTER_POOL_ATTRIBUTE cudaMemPoolAttr
#define PORTER_BOUNDARY cudaSurfaceBoundaryMode

#include "porter_sim/cuda_types.h"

#include "porter_sim/api_face.h"

#include "porter_sim/cuda_extra.h"
