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

inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}
inline size_t cublasGetCudartVersion() { return CUDART_VERSION; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

#define PORTER_CUBLAS_STATUSES(X)                                                                             \
  X(CUBLAS_STATUS_SUCCESS, "success")                                                                         \
  X(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")                                         \
  X(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")                                             \
  X(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function")              \
  X(CUBLAS_STATUS_ARCH_MISMATCH, "the function requires an architectural feature absent from the architecture of the device") \
  X(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed")                                      \
  X(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU")                               \
  X(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")                                             \
  X(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality requested is not supported")                              \
  X(CUBLAS_STATUS_LICENSE_ERROR, "the functionality requested requires some license and an error was detected when checking it")
inline const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define PORTER_CASE(name, text) \
  case name: return #name;
    PORTER_CUBLAS_STATUSES(PORTER_CASE)
#undef PORTER_CASE
  }
  return "unknown";
}
inline const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define PORTER_CASE(name, text) \
  case name: return text;
    PORTER_CUBLAS_STATUSES(PORTER_CASE)
#undef PORTER_CASE
  }
  return "unknown";
}

// Before CUDA 11 the type of the computation was an element's type.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                                   int k, const void *alpha, const void *A, cudaDataType type_a, int lda, const void *B,
                                   cudaDataType type_b, int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,
                                   cudaDataType compute, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t type = compute == CUDA_R_16F                           ? CUBLAS_COMPUTE_16F
                             : compute == CUDA_R_32I                         ? CUBLAS_COMPUTE_32I
                             : compute == CUDA_R_64F || compute == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                                             : CUBLAS_COMPUTE_32F;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c, ldc, type,
                      algorithm);
}

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
