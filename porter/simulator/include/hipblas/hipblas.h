// hipBLAS, over the simulator.
#pragma once
#define HIPBLAS_H  // programs test it to see what was included
#pragma GCC system_header

#include "hip/hip_runtime.h"
#include "porter_sim/libraries/hipblas_types.h"

#define PORTER_BLAS(name) hipblas##name
#define PORTER_BLAS_LETTERED(letter, name) hipblas##letter##name
#define PORTER_RUNTIME(name) hip##name
#define PORTER_BLAS_DATA_TYPE hipDataType
#define PORTER_BLAS_BFLOAT16 __hip_bfloat16
#include "porter_sim/libraries/blas_face.h"

inline const char *hipblasStatusToString(hipblasStatus_t status) {
  switch (status) {
#define PORTER_CASE(name)             \
  case HIPBLAS_STATUS_##name: return "HIPBLAS_STATUS_" #name;
    PORTER_CASE(SUCCESS)
    PORTER_CASE(NOT_INITIALIZED)
    PORTER_CASE(ALLOC_FAILED)
    PORTER_CASE(INVALID_VALUE)
    PORTER_CASE(MAPPING_ERROR)
    PORTER_CASE(EXECUTION_FAILED)
    PORTER_CASE(INTERNAL_ERROR)
    PORTER_CASE(NOT_SUPPORTED)
    PORTER_CASE(ARCH_MISMATCH)
    PORTER_CASE(HANDLE_IS_NULLPTR)
    PORTER_CASE(INVALID_ENUM)
    PORTER_CASE(UNKNOWN)
#undef PORTER_CASE
  }
  return "invalid status";
}
