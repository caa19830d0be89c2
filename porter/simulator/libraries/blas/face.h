// The face's BLAS types as the library's own. The two vendors' names differ only by their prefix.
#pragma once

#ifdef PORTER_SIM_HIP
#include "hipblas/hipblas.h"
#define PORTER_BLAS_CONSTANT(name) HIPBLAS_##name
#else
#include "cublas_v2.h"
#define PORTER_BLAS_CONSTANT(name) CUBLAS_##name
#endif

#include "blas/mixed.h"
#include "grid.h"

#define PORTER_TEXT_(name) #name
#define PORTER_TEXT(name) PORTER_TEXT_(name)

namespace porter_sim::blas {

using Status = PORTER_BLAS(Status_t);

inline Status status_of(Code code) {
  switch (code) {
    case Code::success: return PORTER_BLAS_CONSTANT(STATUS_SUCCESS);
    case Code::not_initialized: return PORTER_BLAS_CONSTANT(STATUS_NOT_INITIALIZED);
    case Code::not_supported: return PORTER_BLAS_CONSTANT(STATUS_NOT_SUPPORTED);
    case Code::allocation_failed: return PORTER_BLAS_CONSTANT(STATUS_ALLOC_FAILED);
    case Code::execution_failed: return PORTER_BLAS_CONSTANT(STATUS_EXECUTION_FAILED);
    case Code::mapping_error: return PORTER_BLAS_CONSTANT(STATUS_MAPPING_ERROR);
    case Code::internal_error: return PORTER_BLAS_CONSTANT(STATUS_INTERNAL_ERROR);
#ifdef PORTER_SIM_HIP
    case Code::invalid_enum: return HIPBLAS_STATUS_INVALID_ENUM;
#else
    case Code::invalid_enum:
#endif
    case Code::invalid_value: break;
  }
  return PORTER_BLAS_CONSTANT(STATUS_INVALID_VALUE);
}

// The faces' numbers for shapes are their own.
inline Transpose as_core(PORTER_BLAS(Operation_t) value) {
  if (value == PORTER_BLAS_CONSTANT(OP_N)) return CblasNoTrans;
  if (value == PORTER_BLAS_CONSTANT(OP_T)) return CblasTrans;
  require(value == PORTER_BLAS_CONSTANT(OP_C), Code::invalid_enum);
  return CblasConjTrans;
}
inline Fill as_core(PORTER_BLAS(FillMode_t) value) {
  if (value == PORTER_BLAS_CONSTANT(FILL_MODE_UPPER)) return CblasUpper;
  require(value == PORTER_BLAS_CONSTANT(FILL_MODE_LOWER), Code::invalid_enum);
  return CblasLower;
}
inline Diagonal as_core(PORTER_BLAS(DiagType_t) value) {
  if (value == PORTER_BLAS_CONSTANT(DIAG_UNIT)) return CblasUnit;
  require(value == PORTER_BLAS_CONSTANT(DIAG_NON_UNIT), Code::invalid_enum);
  return CblasNonUnit;
}
inline Side as_core(PORTER_BLAS(SideMode_t) value) {
  if (value == PORTER_BLAS_CONSTANT(SIDE_LEFT)) return CblasLeft;
  require(value == PORTER_BLAS_CONSTANT(SIDE_RIGHT), Code::invalid_enum);
  return CblasRight;
}
inline Compute as_core(PORTER_BLAS(ComputeType_t) value) {
  switch (value) {
    case PORTER_BLAS_CONSTANT(COMPUTE_16F):
    case PORTER_BLAS_CONSTANT(COMPUTE_16F_PEDANTIC): return Compute::half;
    case PORTER_BLAS_CONSTANT(COMPUTE_32F):
    case PORTER_BLAS_CONSTANT(COMPUTE_32F_PEDANTIC):
    case PORTER_BLAS_CONSTANT(COMPUTE_32F_FAST_16F):
    case PORTER_BLAS_CONSTANT(COMPUTE_32F_FAST_16BF):
    case PORTER_BLAS_CONSTANT(COMPUTE_32F_FAST_TF32): return Compute::single_precision;
    case PORTER_BLAS_CONSTANT(COMPUTE_64F):
    case PORTER_BLAS_CONSTANT(COMPUTE_64F_PEDANTIC): return Compute::double_precision;
    case PORTER_BLAS_CONSTANT(COMPUTE_32I):
    case PORTER_BLAS_CONSTANT(COMPUTE_32I_PEDANTIC): return Compute::integer;
    default: throw Refusal{Code::not_supported};
  }
}
inline Element as_core(PORTER_BLAS_DATA_TYPE value) { return Element(int(value)); }
// Arrays of pointers to halves are arrays of addresses.
inline const void *const *as_core(const __half *const *p) { return reinterpret_cast<const void *const *>(p); }
inline void *const *as_core(__half *const *p) { return reinterpret_cast<void *const *>(p); }
using ::porter_sim::as_core;

template <class Body>
Status answer(Body body) {
  if (sticky_error()) return status_of(Code::execution_failed);
  try {
    body();
  } catch (const Refusal &refusal) {
    return status_of(refusal.code);
  }
  return status_of(Code::success);
}

}  // namespace porter_sim::blas
