// porter's own hipsparse/hipsparse.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hipsparse.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/library_types.h>
#include <stddef.h>
#include <stdint.h>
#define HIPSPARSE_H

typedef void* hipsparseHandle_t;
typedef void* hipsparseMatDescr_t;
typedef void* hipsparseSpVecDescr_t;
typedef void* hipsparseDnVecDescr_t;
typedef void* hipsparseSpMatDescr_t;
typedef void* hipsparseDnMatDescr_t;
typedef const void* hipsparseConstSpVecDescr_t;
typedef const void* hipsparseConstDnVecDescr_t;
typedef const void* hipsparseConstSpMatDescr_t;
typedef const void* hipsparseConstDnMatDescr_t;
typedef struct hipsparseSpGEMMDescr* hipsparseSpGEMMDescr_t;
typedef struct hipsparseSpSVDescr* hipsparseSpSVDescr_t;
typedef struct hipsparseSpSMDescr* hipsparseSpSMDescr_t;
typedef struct csrsv2Info* csrsv2Info_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef enum { HIPSPARSE_STATUS_SUCCESS=0, HIPSPARSE_STATUS_NOT_INITIALIZED=1, HIPSPARSE_STATUS_ALLOC_FAILED=2, HIPSPARSE_STATUS_INVALID_VALUE=3, HIPSPARSE_STATUS_ARCH_MISMATCH=4, HIPSPARSE_STATUS_MAPPING_ERROR=5, HIPSPARSE_STATUS_EXECUTION_FAILED=6, HIPSPARSE_STATUS_INTERNAL_ERROR=7, HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED=8, HIPSPARSE_STATUS_ZERO_PIVOT=9, HIPSPARSE_STATUS_NOT_SUPPORTED=10, HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES=11 } hipsparseStatus_t;
typedef enum { HIPSPARSE_POINTER_MODE_HOST=0, HIPSPARSE_POINTER_MODE_DEVICE=1 } hipsparsePointerMode_t;
typedef enum { HIPSPARSE_ACTION_SYMBOLIC=0, HIPSPARSE_ACTION_NUMERIC=1 } hipsparseAction_t;
typedef enum { HIPSPARSE_MATRIX_TYPE_GENERAL=0, HIPSPARSE_MATRIX_TYPE_SYMMETRIC=1, HIPSPARSE_MATRIX_TYPE_HERMITIAN=2, HIPSPARSE_MATRIX_TYPE_TRIANGULAR=3 } hipsparseMatrixType_t;
typedef enum { HIPSPARSE_FILL_MODE_LOWER=0, HIPSPARSE_FILL_MODE_UPPER=1 } hipsparseFillMode_t;
typedef enum { HIPSPARSE_DIAG_TYPE_NON_UNIT=0, HIPSPARSE_DIAG_TYPE_UNIT=1 } hipsparseDiagType_t;
typedef enum { HIPSPARSE_INDEX_BASE_ZERO=0, HIPSPARSE_INDEX_BASE_ONE=1 } hipsparseIndexBase_t;
typedef enum { HIPSPARSE_OPERATION_NON_TRANSPOSE=0, HIPSPARSE_OPERATION_TRANSPOSE=1, HIPSPARSE_OPERATION_CONJUGATE_TRANSPOSE=2 } hipsparseOperation_t;
typedef enum { HIPSPARSE_SOLVE_POLICY_NO_LEVEL=0, HIPSPARSE_SOLVE_POLICY_USE_LEVEL=1 } hipsparseSolvePolicy_t;
typedef enum { HIPSPARSE_DIRECTION_ROW=0, HIPSPARSE_DIRECTION_COLUMN=1 } hipsparseDirection_t;
typedef enum { HIPSPARSE_CSR2CSC_ALG_DEFAULT=0, HIPSPARSE_CSR2CSC_ALG1=1, HIPSPARSE_CSR2CSC_ALG2=2 } hipsparseCsr2CscAlg_t;
typedef enum { HIPSPARSE_FORMAT_CSR=1, HIPSPARSE_FORMAT_CSC=2, HIPSPARSE_FORMAT_COO=3, HIPSPARSE_FORMAT_COO_AOS=4, HIPSPARSE_FORMAT_BLOCKED_ELL=5 } hipsparseFormat_t;
typedef enum { HIPSPARSE_ORDER_COL=1, HIPSPARSE_ORDER_ROW=2 } hipsparseOrder_t;
typedef enum { HIPSPARSE_INDEX_16U=1, HIPSPARSE_INDEX_32I=2, HIPSPARSE_INDEX_64I=3 } hipsparseIndexType_t;
typedef enum { HIPSPARSE_MV_ALG_DEFAULT=0, HIPSPARSE_COOMV_ALG=1, HIPSPARSE_CSRMV_ALG1=2, HIPSPARSE_CSRMV_ALG2=3, HIPSPARSE_SPMV_ALG_DEFAULT=0, HIPSPARSE_SPMV_COO_ALG1=1, HIPSPARSE_SPMV_CSR_ALG1=2, HIPSPARSE_SPMV_CSR_ALG2=3, HIPSPARSE_SPMV_COO_ALG2=4 } hipsparseSpMVAlg_t;
typedef enum { HIPSPARSE_SPMM_ALG_DEFAULT=0, HIPSPARSE_SPMM_COO_ALG1=1, HIPSPARSE_SPMM_COO_ALG2=2, HIPSPARSE_SPMM_COO_ALG3=3, HIPSPARSE_SPMM_COO_ALG4=5, HIPSPARSE_SPMM_CSR_ALG1=4, HIPSPARSE_SPMM_CSR_ALG2=6, HIPSPARSE_SPMM_CSR_ALG3=12, HIPSPARSE_SPMM_BLOCKED_ELL_ALG1=13 } hipsparseSpMMAlg_t;
typedef enum { HIPSPARSE_SPARSETODENSE_ALG_DEFAULT=0 } hipsparseSparseToDenseAlg_t;
typedef enum { HIPSPARSE_DENSETOSPARSE_ALG_DEFAULT=0 } hipsparseDenseToSparseAlg_t;
typedef enum { HIPSPARSE_SDDMM_ALG_DEFAULT=0 } hipsparseSDDMMAlg_t;
typedef enum { HIPSPARSE_SPSV_ALG_DEFAULT=0 } hipsparseSpSVAlg_t;
typedef enum { HIPSPARSE_SPSM_ALG_DEFAULT=0 } hipsparseSpSMAlg_t;
typedef enum { HIPSPARSE_SPMAT_FILL_MODE=0, HIPSPARSE_SPMAT_DIAG_TYPE=1 } hipsparseSpMatAttribute_t;
typedef enum { HIPSPARSE_SPGEMM_DEFAULT=0, HIPSPARSE_SPGEMM_CSR_ALG_DETERMINISTIC=1, HIPSPARSE_SPGEMM_CSR_ALG_NONDETERMINISTIC=2, HIPSPARSE_SPGEMM_ALG1=3, HIPSPARSE_SPGEMM_ALG2=4, HIPSPARSE_SPGEMM_ALG3=5 } hipsparseSpGEMMAlg_t;

extern "C" {
hipsparseStatus_t hipsparseCreate(hipsparseHandle_t*);
hipsparseStatus_t hipsparseDestroy(hipsparseHandle_t);
const char* hipsparseGetErrorName(hipsparseStatus_t);
const char* hipsparseGetErrorString(hipsparseStatus_t);
hipsparseStatus_t hipsparseGetVersion(hipsparseHandle_t, int*);
hipsparseStatus_t hipsparseSetStream(hipsparseHandle_t, hipStream_t);
hipsparseStatus_t hipsparseGetStream(hipsparseHandle_t, hipStream_t*);
hipsparseStatus_t hipsparseSetPointerMode(hipsparseHandle_t, hipsparsePointerMode_t);
hipsparseStatus_t hipsparseGetPointerMode(hipsparseHandle_t, hipsparsePointerMode_t*);
hipsparseStatus_t hipsparseCreateMatDescr(hipsparseMatDescr_t*);
hipsparseStatus_t hipsparseDestroyMatDescr(hipsparseMatDescr_t);
hipsparseStatus_t hipsparseSetMatType(hipsparseMatDescr_t, hipsparseMatrixType_t);
hipsparseStatus_t hipsparseSetMatIndexBase(hipsparseMatDescr_t, hipsparseIndexBase_t);
hipsparseStatus_t hipsparseSetMatFillMode(hipsparseMatDescr_t, hipsparseFillMode_t);
hipsparseStatus_t hipsparseSetMatDiagType(hipsparseMatDescr_t, hipsparseDiagType_t);
hipsparseStatus_t hipsparseXcsr2coo(hipsparseHandle_t, const int*, int, int, int*, hipsparseIndexBase_t);
hipsparseStatus_t hipsparseXcoo2csr(hipsparseHandle_t, const int*, int, int, int*, hipsparseIndexBase_t);
hipsparseStatus_t hipsparseXcoosort_bufferSizeExt(hipsparseHandle_t, int, int, int, const int*, const int*, size_t*);
hipsparseStatus_t hipsparseXcoosortByRow(hipsparseHandle_t, int, int, int, int*, int*, int*, void*);
hipsparseStatus_t hipsparseXcoosortByColumn(hipsparseHandle_t, int, int, int, int*, int*, int*, void*);
hipsparseStatus_t hipsparseXcsrsort_bufferSizeExt(hipsparseHandle_t, int, int, int, const int*, const int*, size_t*);
hipsparseStatus_t hipsparseXcsrsort(hipsparseHandle_t, int, int, int, const hipsparseMatDescr_t, const int*, int*, int*, void*);
hipsparseStatus_t hipsparseCreateIdentityPermutation(hipsparseHandle_t, int, int*);
hipsparseStatus_t hipsparseCsr2cscEx2_bufferSize(hipsparseHandle_t, int, int, int, const void*, const int*, const int*, void*, int*, int*, hipDataType, hipsparseAction_t, hipsparseIndexBase_t, hipsparseCsr2CscAlg_t, size_t*);
hipsparseStatus_t hipsparseCsr2cscEx2(hipsparseHandle_t, int, int, int, const void*, const int*, const int*, void*, int*, int*, hipDataType, hipsparseAction_t, hipsparseIndexBase_t, hipsparseCsr2CscAlg_t, void*);
hipsparseStatus_t hipsparseCreateSpVec(hipsparseSpVecDescr_t*, int64_t, int64_t, void*, void*, hipsparseIndexType_t, hipsparseIndexBase_t, hipDataType);
hipsparseStatus_t hipsparseDestroySpVec(hipsparseConstSpVecDescr_t);
hipsparseStatus_t hipsparseSpVecGetValues(hipsparseSpVecDescr_t, void**);
hipsparseStatus_t hipsparseSpVecSetValues(hipsparseSpVecDescr_t, void*);
hipsparseStatus_t hipsparseCreateDnVec(hipsparseDnVecDescr_t*, int64_t, void*, hipDataType);
hipsparseStatus_t hipsparseDestroyDnVec(hipsparseConstDnVecDescr_t);
hipsparseStatus_t hipsparseDnVecGet(hipsparseDnVecDescr_t, int64_t*, void**, hipDataType*);
hipsparseStatus_t hipsparseDnVecGetValues(hipsparseDnVecDescr_t, void**);
hipsparseStatus_t hipsparseDnVecSetValues(hipsparseDnVecDescr_t, void*);
hipsparseStatus_t hipsparseCreateCoo(hipsparseSpMatDescr_t*, int64_t, int64_t, int64_t, void*, void*, void*, hipsparseIndexType_t, hipsparseIndexBase_t, hipDataType);
hipsparseStatus_t hipsparseCreateCsr(hipsparseSpMatDescr_t*, int64_t, int64_t, int64_t, void*, void*, void*, hipsparseIndexType_t, hipsparseIndexType_t, hipsparseIndexBase_t, hipDataType);
hipsparseStatus_t hipsparseCreateCsc(hipsparseSpMatDescr_t*, int64_t, int64_t, int64_t, void*, void*, void*, hipsparseIndexType_t, hipsparseIndexType_t, hipsparseIndexBase_t, hipDataType);
hipsparseStatus_t hipsparseCreateBlockedEll(hipsparseSpMatDescr_t*, int64_t, int64_t, int64_t, int64_t, void*, void*, hipsparseIndexType_t, hipsparseIndexBase_t, hipDataType);
hipsparseStatus_t hipsparseDestroySpMat(hipsparseConstSpMatDescr_t);
hipsparseStatus_t hipsparseCsrGet(hipsparseSpMatDescr_t, int64_t*, int64_t*, int64_t*, void**, void**, void**, hipsparseIndexType_t*, hipsparseIndexType_t*, hipsparseIndexBase_t*, hipDataType*);
hipsparseStatus_t hipsparseCooGet(hipsparseSpMatDescr_t, int64_t*, int64_t*, int64_t*, void**, void**, void**, hipsparseIndexType_t*, hipsparseIndexBase_t*, hipDataType*);
hipsparseStatus_t hipsparseCsrSetPointers(hipsparseSpMatDescr_t, void*, void*, void*);
hipsparseStatus_t hipsparseCscSetPointers(hipsparseSpMatDescr_t, void*, void*, void*);
hipsparseStatus_t hipsparseCooSetPointers(hipsparseSpMatDescr_t, void*, void*, void*);
hipsparseStatus_t hipsparseSpMatGetSize(hipsparseConstSpMatDescr_t, int64_t*, int64_t*, int64_t*);
hipsparseStatus_t hipsparseSpMatGetFormat(hipsparseConstSpMatDescr_t, hipsparseFormat_t*);
hipsparseStatus_t hipsparseSpMatGetValues(hipsparseSpMatDescr_t, void**);
hipsparseStatus_t hipsparseSpMatSetValues(hipsparseSpMatDescr_t, void*);
hipsparseStatus_t hipsparseSpMatSetAttribute(hipsparseSpMatDescr_t, hipsparseSpMatAttribute_t, const void*, size_t);
hipsparseStatus_t hipsparseSpMatGetAttribute(hipsparseConstSpMatDescr_t, hipsparseSpMatAttribute_t, void*, size_t);
hipsparseStatus_t hipsparseCreateDnMat(hipsparseDnMatDescr_t*, int64_t, int64_t, int64_t, void*, hipDataType, hipsparseOrder_t);
hipsparseStatus_t hipsparseDestroyDnMat(hipsparseConstDnMatDescr_t);
hipsparseStatus_t hipsparseDnMatGet(hipsparseDnMatDescr_t, int64_t*, int64_t*, int64_t*, void**, hipDataType*, hipsparseOrder_t*);
hipsparseStatus_t hipsparseDnMatGetValues(hipsparseDnMatDescr_t, void**);
hipsparseStatus_t hipsparseDnMatSetValues(hipsparseDnMatDescr_t, void*);
hipsparseStatus_t hipsparseDnMatSetStridedBatch(hipsparseDnMatDescr_t, int, int64_t);
hipsparseStatus_t hipsparseAxpby(hipsparseHandle_t, const void*, hipsparseConstSpVecDescr_t, const void*, hipsparseDnVecDescr_t);
hipsparseStatus_t hipsparseGather(hipsparseHandle_t, hipsparseConstDnVecDescr_t, hipsparseSpVecDescr_t);
hipsparseStatus_t hipsparseScatter(hipsparseHandle_t, hipsparseConstSpVecDescr_t, hipsparseDnVecDescr_t);
hipsparseStatus_t hipsparseSpVV_bufferSize(hipsparseHandle_t, hipsparseOperation_t, hipsparseConstSpVecDescr_t, hipsparseConstDnVecDescr_t, void*, hipDataType, size_t*);
hipsparseStatus_t hipsparseSpVV(hipsparseHandle_t, hipsparseOperation_t, hipsparseConstSpVecDescr_t, hipsparseConstDnVecDescr_t, void*, hipDataType, void*);
hipsparseStatus_t hipsparseSpMV_bufferSize(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, const void*, hipsparseDnVecDescr_t, hipDataType, hipsparseSpMVAlg_t, size_t*);
hipsparseStatus_t hipsparseSpMV_preprocess(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, const void*, hipsparseDnVecDescr_t, hipDataType, hipsparseSpMVAlg_t, void*);
hipsparseStatus_t hipsparseSpMV(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, const void*, hipsparseDnVecDescr_t, hipDataType, hipsparseSpMVAlg_t, void*);
hipsparseStatus_t hipsparseSpMM_bufferSize(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseDnMatDescr_t, hipDataType, hipsparseSpMMAlg_t, size_t*);
hipsparseStatus_t hipsparseSpMM_preprocess(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseDnMatDescr_t, hipDataType, hipsparseSpMMAlg_t, void*);
hipsparseStatus_t hipsparseSpMM(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseDnMatDescr_t, hipDataType, hipsparseSpMMAlg_t, void*);
hipsparseStatus_t hipsparseSpGEMM_createDescr(hipsparseSpGEMMDescr_t*);
hipsparseStatus_t hipsparseSpGEMM_destroyDescr(hipsparseSpGEMMDescr_t);
hipsparseStatus_t hipsparseSpGEMM_workEstimation(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstSpMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSpGEMMAlg_t, hipsparseSpGEMMDescr_t, size_t*, void*);
hipsparseStatus_t hipsparseSpGEMM_compute(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstSpMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSpGEMMAlg_t, hipsparseSpGEMMDescr_t, size_t*, void*);
hipsparseStatus_t hipsparseSpGEMM_copy(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstSpMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSpGEMMAlg_t, hipsparseSpGEMMDescr_t);
hipsparseStatus_t hipsparseSDDMM_bufferSize(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstDnMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSDDMMAlg_t, size_t*);
hipsparseStatus_t hipsparseSDDMM_preprocess(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstDnMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSDDMMAlg_t, void*);
hipsparseStatus_t hipsparseSDDMM(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstDnMatDescr_t, hipsparseConstDnMatDescr_t, const void*, hipsparseSpMatDescr_t, hipDataType, hipsparseSDDMMAlg_t, void*);
hipsparseStatus_t hipsparseSpSV_createDescr(hipsparseSpSVDescr_t*);
hipsparseStatus_t hipsparseSpSV_destroyDescr(hipsparseSpSVDescr_t);
hipsparseStatus_t hipsparseSpSV_bufferSize(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, hipsparseDnVecDescr_t, hipDataType, hipsparseSpSVAlg_t, hipsparseSpSVDescr_t, size_t*);
hipsparseStatus_t hipsparseSpSV_analysis(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, hipsparseDnVecDescr_t, hipDataType, hipsparseSpSVAlg_t, hipsparseSpSVDescr_t, void*);
hipsparseStatus_t hipsparseSpSV_solve(hipsparseHandle_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnVecDescr_t, hipsparseDnVecDescr_t, hipDataType, hipsparseSpSVAlg_t, hipsparseSpSVDescr_t);
hipsparseStatus_t hipsparseSpSM_createDescr(hipsparseSpSMDescr_t*);
hipsparseStatus_t hipsparseSpSM_destroyDescr(hipsparseSpSMDescr_t);
hipsparseStatus_t hipsparseSpSM_bufferSize(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, hipsparseDnMatDescr_t, hipDataType, hipsparseSpSMAlg_t, hipsparseSpSMDescr_t, size_t*);
hipsparseStatus_t hipsparseSpSM_analysis(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, hipsparseDnMatDescr_t, hipDataType, hipsparseSpSMAlg_t, hipsparseSpSMDescr_t, void*);
hipsparseStatus_t hipsparseSpSM_solve(hipsparseHandle_t, hipsparseOperation_t, hipsparseOperation_t, const void*, hipsparseConstSpMatDescr_t, hipsparseConstDnMatDescr_t, hipsparseDnMatDescr_t, hipDataType, hipsparseSpSMAlg_t, hipsparseSpSMDescr_t, void*);
hipsparseStatus_t hipsparseSparseToDense_bufferSize(hipsparseHandle_t, hipsparseConstSpMatDescr_t, hipsparseDnMatDescr_t, hipsparseSparseToDenseAlg_t, size_t*);
hipsparseStatus_t hipsparseSparseToDense(hipsparseHandle_t, hipsparseConstSpMatDescr_t, hipsparseDnMatDescr_t, hipsparseSparseToDenseAlg_t, void*);
hipsparseStatus_t hipsparseDenseToSparse_bufferSize(hipsparseHandle_t, hipsparseConstDnMatDescr_t, hipsparseSpMatDescr_t, hipsparseDenseToSparseAlg_t, size_t*);
hipsparseStatus_t hipsparseDenseToSparse_analysis(hipsparseHandle_t, hipsparseConstDnMatDescr_t, hipsparseSpMatDescr_t, hipsparseDenseToSparseAlg_t, void*);
hipsparseStatus_t hipsparseDenseToSparse_convert(hipsparseHandle_t, hipsparseConstDnMatDescr_t, hipsparseSpMatDescr_t, hipsparseDenseToSparseAlg_t, void*);
}
