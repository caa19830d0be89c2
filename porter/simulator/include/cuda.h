// The part of CUDA's driver API that programs mix with the runtime: devices, contexts that are always there,
// memory. Modules and PTX are not here: code that loads them does not compile.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct cudaStream *CUstream;
typedef struct cudaEvent *CUevent;
typedef unsigned long long CUdeviceptr;

enum CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_UNKNOWN = 999,
};
enum CUdevice_attribute {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

inline CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int *version) { return CUresult(cudaDriverGetVersion(version)); }
inline CUresult cuDeviceGetCount(int *count) { return CUresult(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  cudaDeviceProp properties;
  CUresult status = CUresult(cudaGetDeviceProperties(&properties, device));
  snprintf(name, size_t(length), "%s", properties.name);
  return status;
}
inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return CUresult(cudaDeviceGetAttribute(value, cudaDeviceAttr(attribute), device));
}
inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice) {
  size_t unused;
  return CUresult(cudaMemGetInfo(&unused, bytes));
}
inline CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSynchronize() { return CUresult(cudaDeviceSynchronize()); }
inline CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes) { return CUresult(cudaMalloc((void **)out, bytes)); }
inline CUresult cuMemFree(CUdeviceptr address) { return CUresult(cudaFree((void *)address)); }
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return CUresult(cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return CUresult(cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) { return CUresult(cudaMemGetInfo(free_bytes, total)); }
inline CUresult cuGetErrorName(CUresult status, const char **text) {
  *text = cudaGetErrorName(cudaError_t(status));
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult status, const char **text) {
  *text = cudaGetErrorString(cudaError_t(status));
  return CUDA_SUCCESS;
}
