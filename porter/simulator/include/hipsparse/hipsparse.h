// hipSPARSE's generic interface, over the simulator.
#pragma once
#define HIPSPARSE_H  // programs test it to see what was included
#pragma GCC system_header

#include "hip/hip_bfloat16.h"
#include "hip/hip_complex.h"
#include "hip/hip_fp16.h"
#include "hip/library_types.h"

typedef enum { HIPSPARSE_ORDER_ROW = 0, HIPSPARSE_ORDER_COLUMN = 1, HIPSPARSE_ORDER_COL = 1 } hipsparseOrder_t;

#define PORTER_SPARSE(name) hipsparse##name
#define PORTER_SPARSE_CONSTANT(name) HIPSPARSE_##name
#define PORTER_SPARSE_DATA_TYPE hipDataType
#ifndef PORTER_RUNTIME
#define PORTER_RUNTIME(name) hip##name
#endif
#include "porter_sim/libraries/sparse_face.h"
