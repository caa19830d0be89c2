// cuSPARSE's generic interface, over the simulator.
#pragma once
#pragma GCC system_header

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "library_types.h"

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100)
#ifndef CUSPARSEAPI
#define CUSPARSEAPI
#endif

typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;

#define PORTER_SPARSE(name) cusparse##name
#define PORTER_SPARSE_CONSTANT(name) CUSPARSE_##name
#define PORTER_SPARSE_DATA_TYPE cudaDataType
#ifndef PORTER_RUNTIME
#define PORTER_RUNTIME(name) cuda##name
#endif
#include "porter_sim/libraries/sparse_face.h"
