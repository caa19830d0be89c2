// CUDA API functions whose shape HIP does not share.
#pragma once

#include "porter_sim/graph_cuda.h"
#include "porter_sim/launch_cuda.h"
#include "porter_sim/texture_reference.h"

// The C++ interface's own form.
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (!::porter_sim::api::has_device(device)) return cudaError_t(::porter_sim::api::fail(cudaErrorInvalidDevice));
  ::porter_sim::fill_properties(*properties);
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  cudaDeviceProp p;
  ::porter_sim::fill_properties(p);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: *value = 0;
  }
  return cudaSuccess;
}

template <class K>
cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) ::porter_sim::api::raise_shared_limit(value);
  return cudaSuccess;
}
template <class K>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, K) {
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = 49152;
  return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address) {
  void *start = nullptr;
  int kind = ::porter_sim::api::pointer_kind(address, &start);
  *attributes = {cudaMemoryType(kind == 0 ? 2 : kind == 1 ? 3 : kind == 2 ? 1 : 0), 0, (void *)address,
                 kind == 0 ? nullptr : (void *)address};
  return cudaSuccess;
}
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *) { return cudaSuccess; }
inline cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue *value) {
  *value = cudaStreamAttrValue{};
  return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) {
  *value = size_t(8) << 20;
  return cudaSuccess;
}
// Shared memory has banks of four bytes, and no cache that could be larger or smaller.
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
template <class K>
cudaError_t cudaFuncSetSharedMemConfig(K, cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaHostGetFlags(unsigned *flags, void *) {
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned = 0) { return cudaSuccess; }
// Handles for other processes do not exist here; asking for one says so.
#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 1
struct cudaIpcMemHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};
struct cudaIpcEventHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};
inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { PORTER_WRAP(cudaErrorNotSupported); }
inline cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned) { PORTER_WRAP(cudaErrorNotSupported); }
inline cudaError_t cudaIpcCloseMemHandle(void *) { PORTER_WRAP(cudaErrorNotSupported); }
inline cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { PORTER_WRAP(cudaErrorNotSupported); }
inline cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { PORTER_WRAP(cudaErrorNotSupported); }
inline cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int) {
  snprintf(text, size_t(length), "0000:00:00.0");
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetP2PAttribute(int *value, int, int, int) {
  *value = 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = 0;
  return cudaSuccess;
}
