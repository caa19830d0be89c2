// hipBLAS, over the simulator.
#pragma once
#pragma GCC system_header

#include "hip/hip_runtime.h"
#include "porter_sim/libraries/hipblas_types.h"

#define PORTER_BLAS(name) hipblas##name
#define PORTER_BLAS_LETTERED(letter, name) hipblas##letter##name
#define PORTER_RUNTIME(name) hip##name
#define PORTER_BLAS_DATA_TYPE hipDataType
#define PORTER_BLAS_BFLOAT16 __hip_bfloat16
#include "porter_sim/libraries/blas_face.h"
