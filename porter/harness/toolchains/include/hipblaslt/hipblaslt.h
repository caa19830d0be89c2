// porter's own hipblaslt/hipblaslt.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hipblaslt.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <hipblas/hipblas.h>
#include <stddef.h>
#include <stdint.h>
#define _HIPBLASLT_H_

typedef void* hipblasLtHandle_t;
typedef void* hipblasLtMatmulDesc_t;
typedef void* hipblasLtMatrixLayout_t;
typedef void* hipblasLtMatmulPreference_t;
typedef void* hipblasLtMatrixTransformDesc_t;
typedef enum { HIPBLASLT_EPILOGUE_DEFAULT=1, HIPBLASLT_EPILOGUE_RELU=2, HIPBLASLT_EPILOGUE_BIAS=4, HIPBLASLT_EPILOGUE_RELU_BIAS=6, HIPBLASLT_EPILOGUE_GELU=32, HIPBLASLT_EPILOGUE_GELU_BIAS=36, HIPBLASLT_EPILOGUE_GELU_AUX=160, HIPBLASLT_EPILOGUE_GELU_AUX_BIAS=164, HIPBLASLT_EPILOGUE_DGELU=192, HIPBLASLT_EPILOGUE_DGELU_BGRAD=208, HIPBLASLT_EPILOGUE_BGRADA=256, HIPBLASLT_EPILOGUE_BGRADB=512 } hipblasLtEpilogue_t;
typedef enum { HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT=0, HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET=1, HIPBLASLT_MATRIX_LAYOUT_TYPE=2, HIPBLASLT_MATRIX_LAYOUT_ORDER=3, HIPBLASLT_MATRIX_LAYOUT_ROWS=4, HIPBLASLT_MATRIX_LAYOUT_COLS=5, HIPBLASLT_MATRIX_LAYOUT_LD=6 } hipblasLtMatrixLayoutAttribute_t;
typedef enum { HIPBLASLT_POINTER_MODE_HOST=0, HIPBLASLT_POINTER_MODE_DEVICE=1, HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST=4 } hipblasLtPointerMode_t;
typedef enum { HIPBLASLT_MATMUL_DESC_TRANSA=0, HIPBLASLT_MATMUL_DESC_TRANSB=1, HIPBLASLT_MATMUL_DESC_EPILOGUE=2, HIPBLASLT_MATMUL_DESC_BIAS_POINTER=3, HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE=4, HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER=5, HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER=6, HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER=7, HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER=8, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER=9, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER=10, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD=11, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE=12, HIPBLASLT_MATMUL_DESC_POINTER_MODE=13, HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER=14 } hipblasLtMatmulDescAttributes_t;
typedef enum { HIPBLASLT_MATMUL_PREF_SEARCH_MODE=0, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES=1 } hipblasLtMatmulPreferenceAttributes_t;
typedef enum { HIPBLASLT_ORDER_COL=0, HIPBLASLT_ORDER_ROW=1 } hipblasLtOrder_t;
typedef enum { HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB } hipblasLtMatrixTransformDescAttributes_t;
struct hipblasLtMatmulAlgo_t { uint8_t data[16]; bool fallback; size_t max_workspace_bytes; };
struct hipblasLtMatmulHeuristicResult_t { hipblasLtMatmulAlgo_t algo; size_t workspaceSize; hipblasStatus_t state; float wavesCount; int reserved[4]; };

extern "C" {
hipblasStatus_t hipblasLtGetVersion(hipblasLtHandle_t, int*);
hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t*);
hipblasStatus_t hipblasLtDestroy(hipblasLtHandle_t);
hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t*, hipDataType, uint64_t, uint64_t, int64_t);
hipblasStatus_t hipblasLtMatrixLayoutDestroy(hipblasLtMatrixLayout_t);
hipblasStatus_t hipblasLtMatrixLayoutSetAttribute(hipblasLtMatrixLayout_t, hipblasLtMatrixLayoutAttribute_t, const void*, size_t);
hipblasStatus_t hipblasLtMatrixLayoutGetAttribute(hipblasLtMatrixLayout_t, hipblasLtMatrixLayoutAttribute_t, void*, size_t, size_t*);
hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t*, hipblasComputeType_t, hipDataType);
hipblasStatus_t hipblasLtMatmulDescDestroy(hipblasLtMatmulDesc_t);
hipblasStatus_t hipblasLtMatmulDescSetAttribute(hipblasLtMatmulDesc_t, hipblasLtMatmulDescAttributes_t, const void*, size_t);
hipblasStatus_t hipblasLtMatmulDescGetAttribute(hipblasLtMatmulDesc_t, hipblasLtMatmulDescAttributes_t, void*, size_t, size_t*);
hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t*);
hipblasStatus_t hipblasLtMatmulPreferenceDestroy(hipblasLtMatmulPreference_t);
hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(hipblasLtMatmulPreference_t, hipblasLtMatmulPreferenceAttributes_t, const void*, size_t);
hipblasStatus_t hipblasLtMatmulPreferenceGetAttribute(hipblasLtMatmulPreference_t, hipblasLtMatmulPreferenceAttributes_t, void*, size_t, size_t*);
hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(hipblasLtHandle_t, hipblasLtMatmulDesc_t, hipblasLtMatrixLayout_t, hipblasLtMatrixLayout_t, hipblasLtMatrixLayout_t, hipblasLtMatrixLayout_t, hipblasLtMatmulPreference_t, int, hipblasLtMatmulHeuristicResult_t*, int*);
hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t, hipblasLtMatmulDesc_t, const void*, const void*, hipblasLtMatrixLayout_t, const void*, hipblasLtMatrixLayout_t, const void*, const void*, hipblasLtMatrixLayout_t, void*, hipblasLtMatrixLayout_t, const hipblasLtMatmulAlgo_t*, void*, size_t, hipStream_t);
hipblasStatus_t hipblasLtMatrixTransformDescCreate(hipblasLtMatrixTransformDesc_t*, hipDataType);
hipblasStatus_t hipblasLtMatrixTransformDescDestroy(hipblasLtMatrixTransformDesc_t);
hipblasStatus_t hipblasLtMatrixTransformDescSetAttribute(hipblasLtMatrixTransformDesc_t, hipblasLtMatrixTransformDescAttributes_t, const void*, size_t);
hipblasStatus_t hipblasLtMatrixTransformDescGetAttribute(hipblasLtMatrixTransformDesc_t, hipblasLtMatrixTransformDescAttributes_t, void*, size_t, size_t*);
hipblasStatus_t hipblasLtMatrixTransform(hipblasLtHandle_t, hipblasLtMatrixTransformDesc_t, const void*, const void*, hipblasLtMatrixLayout_t, const void*, const void*, hipblasLtMatrixLayout_t, void*, hipblasLtMatrixLayout_t, hipStream_t);
}
