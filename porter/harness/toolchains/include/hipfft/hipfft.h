// porter's own hipfft/hipfft.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hipfft.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/library_types.h>
#include <stddef.h>
#define HIPFFT_H_

typedef hipFloatComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
typedef float hipfftReal;
typedef double hipfftDoubleReal;
typedef struct hipfftHandle_t* hipfftHandle;
typedef enum { HIPFFT_SUCCESS=0, HIPFFT_INVALID_PLAN=1, HIPFFT_ALLOC_FAILED=2, HIPFFT_INVALID_TYPE=3, HIPFFT_INVALID_VALUE=4, HIPFFT_INTERNAL_ERROR=5, HIPFFT_EXEC_FAILED=6, HIPFFT_SETUP_FAILED=7, HIPFFT_INVALID_SIZE=8, HIPFFT_UNALIGNED_DATA=9, HIPFFT_INCOMPLETE_PARAMETER_LIST=10, HIPFFT_INVALID_DEVICE=11, HIPFFT_PARSE_ERROR=12, HIPFFT_NO_WORKSPACE=13, HIPFFT_NOT_IMPLEMENTED=14, HIPFFT_NOT_SUPPORTED=16 } hipfftResult;
typedef enum { HIPFFT_R2C=0x2a, HIPFFT_C2R=0x2c, HIPFFT_C2C=0x29, HIPFFT_D2Z=0x6a, HIPFFT_Z2D=0x6c, HIPFFT_Z2Z=0x69 } hipfftType;
typedef enum { HIPFFT_MAJOR_VERSION, HIPFFT_MINOR_VERSION, HIPFFT_PATCH_LEVEL } hipfftLibraryPropertyType;
#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1

extern "C" {
hipfftResult hipfftCreate(hipfftHandle*);
hipfftResult hipfftDestroy(hipfftHandle);
hipfftResult hipfftPlan1d(hipfftHandle*, int, hipfftType, int);
hipfftResult hipfftPlan2d(hipfftHandle*, int, int, hipfftType);
hipfftResult hipfftPlan3d(hipfftHandle*, int, int, int, hipfftType);
hipfftResult hipfftPlanMany(hipfftHandle*, int, int*, int*, int, int, int*, int, int, hipfftType, int);
hipfftResult hipfftMakePlan1d(hipfftHandle, int, hipfftType, int, size_t*);
hipfftResult hipfftMakePlan2d(hipfftHandle, int, int, hipfftType, size_t*);
hipfftResult hipfftMakePlan3d(hipfftHandle, int, int, int, hipfftType, size_t*);
hipfftResult hipfftMakePlanMany(hipfftHandle, int, int*, int*, int, int, int*, int, int, hipfftType, int, size_t*);
hipfftResult hipfftMakePlanMany64(hipfftHandle, int, long long*, long long*, long long, long long, long long*, long long, long long, hipfftType, long long, size_t*);
hipfftResult hipfftEstimate1d(int, hipfftType, int, size_t*);
hipfftResult hipfftEstimate2d(int, int, hipfftType, size_t*);
hipfftResult hipfftEstimate3d(int, int, int, hipfftType, size_t*);
hipfftResult hipfftEstimateMany(int, int*, int*, int, int, int*, int, int, hipfftType, int, size_t*);
hipfftResult hipfftGetSize(hipfftHandle, size_t*);
hipfftResult hipfftGetSize1d(hipfftHandle, int, hipfftType, int, size_t*);
hipfftResult hipfftGetSize2d(hipfftHandle, int, int, hipfftType, size_t*);
hipfftResult hipfftGetSize3d(hipfftHandle, int, int, int, hipfftType, size_t*);
hipfftResult hipfftGetSizeMany(hipfftHandle, int, int*, int*, int, int, int*, int, int, hipfftType, int, size_t*);
hipfftResult hipfftSetStream(hipfftHandle, hipStream_t);
hipfftResult hipfftSetAutoAllocation(hipfftHandle, int);
hipfftResult hipfftSetWorkArea(hipfftHandle, void*);
hipfftResult hipfftExecC2C(hipfftHandle, hipfftComplex*, hipfftComplex*, int);
hipfftResult hipfftExecR2C(hipfftHandle, hipfftReal*, hipfftComplex*);
hipfftResult hipfftExecC2R(hipfftHandle, hipfftComplex*, hipfftReal*);
hipfftResult hipfftExecZ2Z(hipfftHandle, hipfftDoubleComplex*, hipfftDoubleComplex*, int);
hipfftResult hipfftExecD2Z(hipfftHandle, hipfftDoubleReal*, hipfftDoubleComplex*);
hipfftResult hipfftExecZ2D(hipfftHandle, hipfftDoubleComplex*, hipfftDoubleReal*);
hipfftResult hipfftGetVersion(int*);
hipfftResult hipfftGetProperty(hipfftLibraryPropertyType, int*);
}
