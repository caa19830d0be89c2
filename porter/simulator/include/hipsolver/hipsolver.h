// hipSOLVER's functions in cuSOLVER's form (hipsolverDn…), over the simulator. The numbers are HIP's.
#pragma once
#define HIPSOLVER_H  // programs test it to see what was included
#pragma GCC system_header

#include "hipblas/hipblas.h"

typedef enum {
  HIPSOLVER_STATUS_SUCCESS = 0,
  HIPSOLVER_STATUS_NOT_INITIALIZED = 1,
  HIPSOLVER_STATUS_ALLOC_FAILED = 2,
  HIPSOLVER_STATUS_INVALID_VALUE = 3,
  HIPSOLVER_STATUS_MAPPING_ERROR = 4,
  HIPSOLVER_STATUS_EXECUTION_FAILED = 5,
  HIPSOLVER_STATUS_INTERNAL_ERROR = 6,
  HIPSOLVER_STATUS_NOT_SUPPORTED = 7,
  HIPSOLVER_STATUS_ARCH_MISMATCH = 8,
  HIPSOLVER_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPSOLVER_STATUS_INVALID_ENUM = 10,
  HIPSOLVER_STATUS_UNKNOWN = 11,
  HIPSOLVER_STATUS_ZERO_PIVOT = 12,
  HIPSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 13,
} hipsolverStatus_t;
typedef enum { HIPSOLVER_EIG_MODE_NOVECTOR = 201, HIPSOLVER_EIG_MODE_VECTOR = 202 } hipsolverEigMode_t;
typedef enum { HIPSOLVER_EIG_TYPE_1 = 211, HIPSOLVER_EIG_TYPE_2 = 212, HIPSOLVER_EIG_TYPE_3 = 213 } hipsolverEigType_t;
typedef hipblasOperation_t hipsolverOperation_t;
typedef hipblasFillMode_t hipsolverFillMode_t;
typedef hipblasSideMode_t hipsolverSideMode_t;
#define HIPSOLVER_OP_N HIPBLAS_OP_N
#define HIPSOLVER_OP_T HIPBLAS_OP_T
#define HIPSOLVER_OP_C HIPBLAS_OP_C
#define HIPSOLVER_FILL_MODE_UPPER HIPBLAS_FILL_MODE_UPPER
#define HIPSOLVER_FILL_MODE_LOWER HIPBLAS_FILL_MODE_LOWER
#define HIPSOLVER_SIDE_LEFT HIPBLAS_SIDE_LEFT
#define HIPSOLVER_SIDE_RIGHT HIPBLAS_SIDE_RIGHT

typedef void *hipsolverHandle_t;
typedef hipsolverHandle_t hipsolverDnHandle_t;
typedef struct hipsolverGesvdjInfo *hipsolverGesvdjInfo_t;
typedef struct hipsolverSyevjInfo *hipsolverSyevjInfo_t;

#define PORTER_SOLVER(name) hipsolverDn##name
#define PORTER_SOLVER_STATUS hipsolverStatus_t
#define PORTER_SOLVER_OPERATION hipblasOperation_t
#define PORTER_SOLVER_FILL hipblasFillMode_t
#define PORTER_SOLVER_SIDE hipblasSideMode_t
#define PORTER_SOLVER_EIG_MODE hipsolverEigMode_t
#define PORTER_GESVDJ_INFO hipsolverGesvdjInfo_t
#define PORTER_SYEVJ_INFO hipsolverSyevjInfo_t
#include "porter_sim/libraries/solver_face.h"
#include "porter_sim/libraries/solver_params.h"
