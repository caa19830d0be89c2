// cuSOLVER for dense matrices, over the simulator.
#pragma once
#pragma GCC system_header

#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct syevjInfo *syevjInfo_t;

#define PORTER_SOLVER(name) cusolverDn##name
#define PORTER_SOLVER_STATUS cusolverStatus_t
#define PORTER_SOLVER_OPERATION cublasOperation_t
#define PORTER_SOLVER_FILL cublasFillMode_t
#define PORTER_SOLVER_SIDE cublasSideMode_t
#define PORTER_SOLVER_EIG_MODE cusolverEigMode_t
#define PORTER_GESVDJ_INFO gesvdjInfo_t
#define PORTER_SYEVJ_INFO syevjInfo_t
#include "porter_sim/libraries/solver_face.h"
#include "porter_sim/libraries/solver_params.h"
