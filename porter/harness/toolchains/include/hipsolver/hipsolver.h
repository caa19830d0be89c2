// porter's own hipsolver/hipsolver.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hipsolver.toml. It is searched after every real header.
#pragma once

#include <hipblas/hipblas.h>
#include <hip/hip_complex.h>
#include <stddef.h>
#include <stdint.h>
#define HIPSOLVER_H

typedef void* hipsolverHandle_t;
typedef void* hipsolverDnHandle_t;
typedef void* hipsolverGesvdjInfo_t;
typedef void* hipsolverSyevjInfo_t;
typedef hipblasOperation_t hipsolverOperation_t;
typedef hipblasFillMode_t hipsolverFillMode_t;
typedef hipblasSideMode_t hipsolverSideMode_t;
typedef enum { HIPSOLVER_STATUS_SUCCESS=0, HIPSOLVER_STATUS_NOT_INITIALIZED=1, HIPSOLVER_STATUS_ALLOC_FAILED=2, HIPSOLVER_STATUS_INVALID_VALUE=3, HIPSOLVER_STATUS_MAPPING_ERROR=4, HIPSOLVER_STATUS_EXECUTION_FAILED=5, HIPSOLVER_STATUS_INTERNAL_ERROR=6, HIPSOLVER_STATUS_NOT_SUPPORTED=7, HIPSOLVER_STATUS_ARCH_MISMATCH=8, HIPSOLVER_STATUS_HANDLE_IS_NULLPTR=9, HIPSOLVER_STATUS_INVALID_ENUM=10, HIPSOLVER_STATUS_UNKNOWN=11, HIPSOLVER_STATUS_ZERO_PIVOT=12, HIPSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED=13 } hipsolverStatus_t;
typedef enum { HIPSOLVER_EIG_MODE_NOVECTOR=201, HIPSOLVER_EIG_MODE_VECTOR=202 } hipsolverEigMode_t;
typedef enum { HIPSOLVER_EIG_TYPE_1=211, HIPSOLVER_EIG_TYPE_2=212, HIPSOLVER_EIG_TYPE_3=213 } hipsolverEigType_t;
typedef enum { HIPSOLVER_EIG_RANGE_ALL=221, HIPSOLVER_EIG_RANGE_V=222, HIPSOLVER_EIG_RANGE_I=223 } hipsolverEigRange_t;
#define HIPSOLVER_OP_N HIPBLAS_OP_N
#define HIPSOLVER_OP_T HIPBLAS_OP_T
#define HIPSOLVER_OP_C HIPBLAS_OP_C
#define HIPSOLVER_FILL_MODE_UPPER HIPBLAS_FILL_MODE_UPPER
#define HIPSOLVER_FILL_MODE_LOWER HIPBLAS_FILL_MODE_LOWER
#define HIPSOLVER_SIDE_LEFT HIPBLAS_SIDE_LEFT
#define HIPSOLVER_SIDE_RIGHT HIPBLAS_SIDE_RIGHT

extern "C" {
hipsolverStatus_t hipsolverDnCreate(hipsolverHandle_t*);
hipsolverStatus_t hipsolverDnDestroy(hipsolverHandle_t);
hipsolverStatus_t hipsolverDnSetStream(hipsolverHandle_t, hipStream_t);
hipsolverStatus_t hipsolverDnGetStream(hipsolverHandle_t, hipStream_t*);
hipsolverStatus_t hipsolverDnCreateGesvdjInfo(hipsolverGesvdjInfo_t*);
hipsolverStatus_t hipsolverDnDestroyGesvdjInfo(hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnXgesvdjSetMaxSweeps(hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnXgesvdjSetSortEig(hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnXgesvdjSetTolerance(hipsolverGesvdjInfo_t, double);
hipsolverStatus_t hipsolverDnXgesvdjGetResidual(hipsolverHandle_t, hipsolverGesvdjInfo_t, double*);
hipsolverStatus_t hipsolverDnXgesvdjGetSweeps(hipsolverHandle_t, hipsolverGesvdjInfo_t, int*);
hipsolverStatus_t hipsolverDnCreateSyevjInfo(hipsolverSyevjInfo_t*);
hipsolverStatus_t hipsolverDnDestroySyevjInfo(hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnXsyevjSetMaxSweeps(hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnXsyevjSetSortEig(hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnXsyevjSetTolerance(hipsolverSyevjInfo_t, double);
hipsolverStatus_t hipsolverDnSorgqr_bufferSize(hipsolverHandle_t, int, int, int, const float*, int, const float*, int*);
hipsolverStatus_t hipsolverDnDorgqr_bufferSize(hipsolverHandle_t, int, int, int, const double*, int, const double*, int*);
hipsolverStatus_t hipsolverDnSorgqr(hipsolverHandle_t, int, int, int, float*, int, const float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDorgqr(hipsolverHandle_t, int, int, int, double*, int, const double*, double*, int, int*);
hipsolverStatus_t hipsolverDnCungqr_bufferSize(hipsolverHandle_t, int, int, int, const hipFloatComplex*, int, const hipFloatComplex*, int*);
hipsolverStatus_t hipsolverDnZungqr_bufferSize(hipsolverHandle_t, int, int, int, const hipDoubleComplex*, int, const hipDoubleComplex*, int*);
hipsolverStatus_t hipsolverDnCungqr(hipsolverHandle_t, int, int, int, hipFloatComplex*, int, const hipFloatComplex*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZungqr(hipsolverHandle_t, int, int, int, hipDoubleComplex*, int, const hipDoubleComplex*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSormqr_bufferSize(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const float*, int, const float*, const float*, int, int*);
hipsolverStatus_t hipsolverDnDormqr_bufferSize(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const double*, int, const double*, const double*, int, int*);
hipsolverStatus_t hipsolverDnSormqr(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const float*, int, const float*, float*, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDormqr(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const double*, int, const double*, double*, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCunmqr_bufferSize(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const hipFloatComplex*, int, const hipFloatComplex*, const hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZunmqr_bufferSize(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const hipDoubleComplex*, int, const hipDoubleComplex*, const hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnCunmqr(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const hipFloatComplex*, int, const hipFloatComplex*, hipFloatComplex*, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZunmqr(hipsolverHandle_t, hipblasSideMode_t, hipblasOperation_t, int, int, int, const hipDoubleComplex*, int, const hipDoubleComplex*, hipDoubleComplex*, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSgebrd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnDgebrd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnCgebrd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnZgebrd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnSgebrd(hipsolverHandle_t, int, int, float*, int, float*, float*, float*, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDgebrd(hipsolverHandle_t, int, int, double*, int, double*, double*, double*, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnCgebrd(hipsolverHandle_t, int, int, hipFloatComplex*, int, float*, float*, hipFloatComplex*, hipFloatComplex*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZgebrd(hipsolverHandle_t, int, int, hipDoubleComplex*, int, double*, double*, hipDoubleComplex*, hipDoubleComplex*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSSgels_bufferSize(hipsolverHandle_t, int, int, int, float*, int, float*, int, float*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnDDgels_bufferSize(hipsolverHandle_t, int, int, int, double*, int, double*, int, double*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnCCgels_bufferSize(hipsolverHandle_t, int, int, int, hipFloatComplex*, int, hipFloatComplex*, int, hipFloatComplex*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnZZgels_bufferSize(hipsolverHandle_t, int, int, int, hipDoubleComplex*, int, hipDoubleComplex*, int, hipDoubleComplex*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnSSgels(hipsolverHandle_t, int, int, int, float*, int, float*, int, float*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnDDgels(hipsolverHandle_t, int, int, int, double*, int, double*, int, double*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnCCgels(hipsolverHandle_t, int, int, int, hipFloatComplex*, int, hipFloatComplex*, int, hipFloatComplex*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnZZgels(hipsolverHandle_t, int, int, int, hipDoubleComplex*, int, hipDoubleComplex*, int, hipDoubleComplex*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnSSgesv_bufferSize(hipsolverHandle_t, int, int, float*, int, int*, float*, int, float*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnDDgesv_bufferSize(hipsolverHandle_t, int, int, double*, int, int*, double*, int, double*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnCCgesv_bufferSize(hipsolverHandle_t, int, int, hipFloatComplex*, int, int*, hipFloatComplex*, int, hipFloatComplex*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnZZgesv_bufferSize(hipsolverHandle_t, int, int, hipDoubleComplex*, int, int*, hipDoubleComplex*, int, hipDoubleComplex*, int, void*, size_t*);
hipsolverStatus_t hipsolverDnSSgesv(hipsolverHandle_t, int, int, float*, int, int*, float*, int, float*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnDDgesv(hipsolverHandle_t, int, int, double*, int, int*, double*, int, double*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnCCgesv(hipsolverHandle_t, int, int, hipFloatComplex*, int, int*, hipFloatComplex*, int, hipFloatComplex*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnZZgesv(hipsolverHandle_t, int, int, hipDoubleComplex*, int, int*, hipDoubleComplex*, int, hipDoubleComplex*, int, void*, size_t, int*, int*);
hipsolverStatus_t hipsolverDnSgeqrf_bufferSize(hipsolverHandle_t, int, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDgeqrf_bufferSize(hipsolverHandle_t, int, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCgeqrf_bufferSize(hipsolverHandle_t, int, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZgeqrf_bufferSize(hipsolverHandle_t, int, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSgeqrf(hipsolverHandle_t, int, int, float*, int, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDgeqrf(hipsolverHandle_t, int, int, double*, int, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnCgeqrf(hipsolverHandle_t, int, int, hipFloatComplex*, int, hipFloatComplex*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZgeqrf(hipsolverHandle_t, int, int, hipDoubleComplex*, int, hipDoubleComplex*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSgesvd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnDgesvd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnCgesvd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnZgesvd_bufferSize(hipsolverHandle_t, int, int, int*);
hipsolverStatus_t hipsolverDnSgesvd(hipsolverHandle_t, signed char, signed char, int, int, float*, int, float*, float*, int, float*, int, float*, int, float*, int*);
hipsolverStatus_t hipsolverDnDgesvd(hipsolverHandle_t, signed char, signed char, int, int, double*, int, double*, double*, int, double*, int, double*, int, double*, int*);
hipsolverStatus_t hipsolverDnCgesvd(hipsolverHandle_t, signed char, signed char, int, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, hipFloatComplex*, int, hipFloatComplex*, int, float*, int*);
hipsolverStatus_t hipsolverDnZgesvd(hipsolverHandle_t, signed char, signed char, int, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, hipDoubleComplex*, int, hipDoubleComplex*, int, double*, int*);
hipsolverStatus_t hipsolverDnSgesvdj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, const float*, int, const float*, const float*, int, const float*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnDgesvdj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, const double*, int, const double*, const double*, int, const double*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnCgesvdj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, const hipFloatComplex*, int, const float*, const hipFloatComplex*, int, const hipFloatComplex*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnZgesvdj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, const hipDoubleComplex*, int, const double*, const hipDoubleComplex*, int, const hipDoubleComplex*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnSgesvdj(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, float*, int, float*, float*, int, float*, int, float*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnDgesvdj(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, double*, int, double*, double*, int, double*, int, double*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnCgesvdj(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, hipFloatComplex*, int, hipFloatComplex*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnZgesvdj(hipsolverHandle_t, hipsolverEigMode_t, int, int, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, hipDoubleComplex*, int, hipDoubleComplex*, int, int*, hipsolverGesvdjInfo_t);
hipsolverStatus_t hipsolverDnSgesvdjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, const float*, int, const float*, const float*, int, const float*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnDgesvdjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, const double*, int, const double*, const double*, int, const double*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnCgesvdjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, const hipFloatComplex*, int, const float*, const hipFloatComplex*, int, const hipFloatComplex*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnZgesvdjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, int, int, const hipDoubleComplex*, int, const double*, const hipDoubleComplex*, int, const hipDoubleComplex*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnSgesvdjBatched(hipsolverHandle_t, hipsolverEigMode_t, int, int, float*, int, float*, float*, int, float*, int, float*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnDgesvdjBatched(hipsolverHandle_t, hipsolverEigMode_t, int, int, double*, int, double*, double*, int, double*, int, double*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnCgesvdjBatched(hipsolverHandle_t, hipsolverEigMode_t, int, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, hipFloatComplex*, int, hipFloatComplex*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnZgesvdjBatched(hipsolverHandle_t, hipsolverEigMode_t, int, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, hipDoubleComplex*, int, hipDoubleComplex*, int, int*, hipsolverGesvdjInfo_t, int);
hipsolverStatus_t hipsolverDnSgetrf_bufferSize(hipsolverHandle_t, int, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDgetrf_bufferSize(hipsolverHandle_t, int, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCgetrf_bufferSize(hipsolverHandle_t, int, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZgetrf_bufferSize(hipsolverHandle_t, int, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSgetrf(hipsolverHandle_t, int, int, float*, int, float*, int*, int*);
hipsolverStatus_t hipsolverDnDgetrf(hipsolverHandle_t, int, int, double*, int, double*, int*, int*);
hipsolverStatus_t hipsolverDnCgetrf(hipsolverHandle_t, int, int, hipFloatComplex*, int, hipFloatComplex*, int*, int*);
hipsolverStatus_t hipsolverDnZgetrf(hipsolverHandle_t, int, int, hipDoubleComplex*, int, hipDoubleComplex*, int*, int*);
hipsolverStatus_t hipsolverDnSgetrs(hipsolverHandle_t, hipblasOperation_t, int, int, const float*, int, const int*, float*, int, int*);
hipsolverStatus_t hipsolverDnDgetrs(hipsolverHandle_t, hipblasOperation_t, int, int, const double*, int, const int*, double*, int, int*);
hipsolverStatus_t hipsolverDnCgetrs(hipsolverHandle_t, hipblasOperation_t, int, int, const hipFloatComplex*, int, const int*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZgetrs(hipsolverHandle_t, hipblasOperation_t, int, int, const hipDoubleComplex*, int, const int*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotrf_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDpotrf_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCpotrf_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZpotrf_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotrf(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDpotrf(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCpotrf(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex*, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZpotrf(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex*, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotrfBatched(hipsolverHandle_t, hipblasFillMode_t, int, float**, int, int*, int);
hipsolverStatus_t hipsolverDnDpotrfBatched(hipsolverHandle_t, hipblasFillMode_t, int, double**, int, int*, int);
hipsolverStatus_t hipsolverDnCpotrfBatched(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex**, int, int*, int);
hipsolverStatus_t hipsolverDnZpotrfBatched(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex**, int, int*, int);
hipsolverStatus_t hipsolverDnSpotri_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDpotri_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCpotri_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZpotri_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotri(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDpotri(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCpotri(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex*, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZpotri(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex*, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotrs(hipsolverHandle_t, hipblasFillMode_t, int, int, const float*, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDpotrs(hipsolverHandle_t, hipblasFillMode_t, int, int, const double*, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCpotrs(hipsolverHandle_t, hipblasFillMode_t, int, int, const hipFloatComplex*, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZpotrs(hipsolverHandle_t, hipblasFillMode_t, int, int, const hipDoubleComplex*, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSpotrsBatched(hipsolverHandle_t, hipblasFillMode_t, int, int, float**, int, float**, int, int*, int);
hipsolverStatus_t hipsolverDnDpotrsBatched(hipsolverHandle_t, hipblasFillMode_t, int, int, double**, int, double**, int, int*, int);
hipsolverStatus_t hipsolverDnCpotrsBatched(hipsolverHandle_t, hipblasFillMode_t, int, int, hipFloatComplex**, int, hipFloatComplex**, int, int*, int);
hipsolverStatus_t hipsolverDnZpotrsBatched(hipsolverHandle_t, hipblasFillMode_t, int, int, hipDoubleComplex**, int, hipDoubleComplex**, int, int*, int);
hipsolverStatus_t hipsolverDnSsyevd_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const float*, int, const float*, int*);
hipsolverStatus_t hipsolverDnDsyevd_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const double*, int, const double*, int*);
hipsolverStatus_t hipsolverDnSsyevd(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, float*, int, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDsyevd(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, double*, int, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnCheevd_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipFloatComplex*, int, const float*, int*);
hipsolverStatus_t hipsolverDnZheevd_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipDoubleComplex*, int, const double*, int*);
hipsolverStatus_t hipsolverDnCheevd(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZheevd(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSsyevdx_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipsolverEigRange_t, hipblasFillMode_t, int, const float*, int, float, float, int, int, int*, const float*, int*);
hipsolverStatus_t hipsolverDnDsyevdx_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipsolverEigRange_t, hipblasFillMode_t, int, const double*, int, double, double, int, int, int*, const double*, int*);
hipsolverStatus_t hipsolverDnSsyevdx(hipsolverHandle_t, hipsolverEigMode_t, hipsolverEigRange_t, hipblasFillMode_t, int, float*, int, float, float, int, int, int*, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDsyevdx(hipsolverHandle_t, hipsolverEigMode_t, hipsolverEigRange_t, hipblasFillMode_t, int, double*, int, double, double, int, int, int*, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnSsyevj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const float*, int, const float*, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnDsyevj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const double*, int, const double*, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnSsyevj(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, float*, int, float*, float*, int, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnDsyevj(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, double*, int, double*, double*, int, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnCheevj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipFloatComplex*, int, const float*, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnZheevj_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipDoubleComplex*, int, const double*, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnCheevj(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnZheevj(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, int*, hipsolverSyevjInfo_t);
hipsolverStatus_t hipsolverDnSsyevjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const float*, int, const float*, int*, hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnDsyevjBatched_bufferSize(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, const double*, int, const double*, int*, hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnSsyevjBatched(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, float*, int, float*, float*, int, int*, hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnDsyevjBatched(hipsolverHandle_t, hipsolverEigMode_t, hipblasFillMode_t, int, double*, int, double*, double*, int, int*, hipsolverSyevjInfo_t, int);
hipsolverStatus_t hipsolverDnSsygvd_bufferSize(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, const float*, int, const float*, int, const float*, int*);
hipsolverStatus_t hipsolverDnDsygvd_bufferSize(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, const double*, int, const double*, int, const double*, int*);
hipsolverStatus_t hipsolverDnSsygvd(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, float*, int, float*, int, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDsygvd(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, double*, int, double*, int, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnChegvd_bufferSize(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipFloatComplex*, int, const hipFloatComplex*, int, const float*, int*);
hipsolverStatus_t hipsolverDnZhegvd_bufferSize(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, const hipDoubleComplex*, int, const hipDoubleComplex*, int, const double*, int*);
hipsolverStatus_t hipsolverDnChegvd(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipFloatComplex*, int, hipFloatComplex*, int, float*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZhegvd(hipsolverHandle_t, hipsolverEigType_t, hipsolverEigMode_t, hipblasFillMode_t, int, hipDoubleComplex*, int, hipDoubleComplex*, int, double*, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSsytrd_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, const float*, int, const float*, const float*, const float*, int*);
hipsolverStatus_t hipsolverDnDsytrd_bufferSize(hipsolverHandle_t, hipblasFillMode_t, int, const double*, int, const double*, const double*, const double*, int*);
hipsolverStatus_t hipsolverDnSsytrd(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, float*, float*, float*, float*, int, int*);
hipsolverStatus_t hipsolverDnDsytrd(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, double*, double*, double*, double*, int, int*);
hipsolverStatus_t hipsolverDnSsytrf_bufferSize(hipsolverHandle_t, int, float*, int, int*);
hipsolverStatus_t hipsolverDnDsytrf_bufferSize(hipsolverHandle_t, int, double*, int, int*);
hipsolverStatus_t hipsolverDnCsytrf_bufferSize(hipsolverHandle_t, int, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZsytrf_bufferSize(hipsolverHandle_t, int, hipDoubleComplex*, int, int*);
hipsolverStatus_t hipsolverDnSsytrf(hipsolverHandle_t, hipblasFillMode_t, int, float*, int, int*, float*, int, int*);
hipsolverStatus_t hipsolverDnDsytrf(hipsolverHandle_t, hipblasFillMode_t, int, double*, int, int*, double*, int, int*);
hipsolverStatus_t hipsolverDnCsytrf(hipsolverHandle_t, hipblasFillMode_t, int, hipFloatComplex*, int, int*, hipFloatComplex*, int, int*);
hipsolverStatus_t hipsolverDnZsytrf(hipsolverHandle_t, hipblasFillMode_t, int, hipDoubleComplex*, int, int*, hipDoubleComplex*, int, int*);
}
