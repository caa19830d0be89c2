// cuBLAS (the v2 interface), over the simulator.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "porter_sim/libraries/cublas_types.h"

#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#define PORTER_BLAS(name) cublas##name
#define PORTER_BLAS_LETTERED(letter, name) cublas##letter##name
#define PORTER_RUNTIME(name) cuda##name
#define PORTER_BLAS_DATA_TYPE cudaDataType
#define PORTER_BLAS_BFLOAT16 __nv_bfloat16
#include "porter_sim/libraries/blas_face.h"
