// porter's own hipfft/hipfftXt.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hipfftXt.toml. It is searched after every real header.
#pragma once

#include <hipfft/hipfft.h>

typedef hipfftComplex (*hipfftCallbackLoadC)(void*, size_t, void*, void*);
typedef hipfftDoubleComplex (*hipfftCallbackLoadZ)(void*, size_t, void*, void*);
typedef hipfftReal (*hipfftCallbackLoadR)(void*, size_t, void*, void*);
typedef hipfftDoubleReal (*hipfftCallbackLoadD)(void*, size_t, void*, void*);
typedef void (*hipfftCallbackStoreC)(void*, size_t, hipfftComplex, void*, void*);
typedef void (*hipfftCallbackStoreZ)(void*, size_t, hipfftDoubleComplex, void*, void*);
typedef void (*hipfftCallbackStoreR)(void*, size_t, hipfftReal, void*, void*);
typedef void (*hipfftCallbackStoreD)(void*, size_t, hipfftDoubleReal, void*, void*);
typedef enum { HIPFFT_CB_LD_COMPLEX=0, HIPFFT_CB_LD_COMPLEX_DOUBLE=1, HIPFFT_CB_LD_REAL=2, HIPFFT_CB_LD_REAL_DOUBLE=3, HIPFFT_CB_ST_COMPLEX=4, HIPFFT_CB_ST_COMPLEX_DOUBLE=5, HIPFFT_CB_ST_REAL=6, HIPFFT_CB_ST_REAL_DOUBLE=7, HIPFFT_CB_UNDEFINED=8 } hipfftXtCallbackType;
typedef enum { HIPFFT_XT_FORMAT_INPUT=0, HIPFFT_XT_FORMAT_OUTPUT=1, HIPFFT_XT_FORMAT_INPLACE=2, HIPFFT_XT_FORMAT_INPLACE_SHUFFLED=3, HIPFFT_XT_FORMAT_1D_INPUT_SHUFFLED=4, HIPFFT_FORMAT_UNDEFINED=5 } hipfftXtSubFormat;
typedef enum { HIPFFT_COPY_HOST_TO_DEVICE=0, HIPFFT_COPY_DEVICE_TO_HOST=1, HIPFFT_COPY_DEVICE_TO_DEVICE=2, HIPFFT_COPY_UNDEFINED=3 } hipfftXtCopyType;
typedef enum { HIPLIB_FORMAT_HIPFFT=0, HIPLIB_FORMAT_UNDEFINED=1 } hiplibFormat;
struct hipXtDesc { int version; int nGPUs; int GPUs[64]; void* data[64]; size_t size[64]; void* hipXtState; };
struct hipLibXtDesc { int version; hipXtDesc* descriptor; hiplibFormat library; int subFormat; void* libDescriptor; };

extern "C" {
hipfftResult hipfftXtSetCallback(hipfftHandle, void**, hipfftXtCallbackType, void**);
hipfftResult hipfftXtClearCallback(hipfftHandle, hipfftXtCallbackType);
hipfftResult hipfftXtSetCallbackSharedSize(hipfftHandle, hipfftXtCallbackType, size_t);
hipfftResult hipfftXtMakePlanMany(hipfftHandle, int, long long int*, long long int*, long long int, long long int, hipDataType, long long int*, long long int, long long int, hipDataType, long long int, size_t*, hipDataType);
hipfftResult hipfftXtGetSizeMany(hipfftHandle, int, long long int*, long long int*, long long int, long long int, hipDataType, long long int*, long long int, long long int, hipDataType, long long int, size_t*, hipDataType);
hipfftResult hipfftXtExec(hipfftHandle, void*, void*, int);
hipfftResult hipfftXtSetGPUs(hipfftHandle, int, int*);
hipfftResult hipfftXtMalloc(hipfftHandle, hipLibXtDesc**, hipfftXtSubFormat);
hipfftResult hipfftXtMemcpy(hipfftHandle, void*, void*, hipfftXtCopyType);
hipfftResult hipfftXtFree(hipLibXtDesc*);
hipfftResult hipfftXtExecDescriptorC2C(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*, int);
hipfftResult hipfftXtExecDescriptorZ2Z(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*, int);
hipfftResult hipfftXtExecDescriptorR2C(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*);
hipfftResult hipfftXtExecDescriptorC2R(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*);
hipfftResult hipfftXtExecDescriptorD2Z(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*);
hipfftResult hipfftXtExecDescriptorZ2D(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*);
hipfftResult hipfftXtExecDescriptor(hipfftHandle, hipLibXtDesc*, hipLibXtDesc*, int);
}
