// HIP API functions and macros whose shape CUDA does not share.
#pragma once

#define HIP_SYMBOL(x) x
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) type *name = static_cast<type *>(::porter_sim::dynamic_shared);
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                                   \
  PORTER_LAUNCHER(::porter_sim::configuration(grid, block, shared_bytes, stream), kernel)(__VA_ARGS__)

inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  if (!::porter_sim::api::has_device(device)) return hipError_t(::porter_sim::api::fail(hipErrorInvalidDevice));
  ::porter_sim::fill_properties(*properties);
  ::porter_sim::DeviceFigures figures;
  ::porter_sim::device_figures(figures);
  snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s:sramecc+:xnack-", figures.architecture);
  properties->arch = {1, 1, 1, 1, 1, 1, 1};
  properties->maxSharedMemoryPerMultiProcessor = properties->sharedMemPerMultiprocessor;
  return hipSuccess;
}

inline hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int) {
  hipDeviceProp_t p;
  ::porter_sim::fill_properties(p);
  switch (attribute) {
    case hipDeviceAttributeMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case hipDeviceAttributeMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case hipDeviceAttributeWarpSize: *value = p.warpSize; break;
    case hipDeviceAttributeMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case hipDeviceAttributeClockRate: *value = p.clockRate; break;
    case hipDeviceAttributeMultiprocessorCount: *value = p.multiProcessorCount; break;
    case hipDeviceAttributeMemoryClockRate: *value = p.memoryClockRate; break;
    case hipDeviceAttributeMemoryBusWidth: *value = p.memoryBusWidth; break;
    case hipDeviceAttributeL2CacheSize: *value = p.l2CacheSize; break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case hipDeviceAttributeComputeCapabilityMajor: *value = p.major; break;
    case hipDeviceAttributeComputeCapabilityMinor: *value = p.minor; break;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
    case hipDeviceAttributeSharedMemPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
    case hipDeviceAttributeMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case hipDeviceAttributeMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case hipDeviceAttributeMaxGridDimX: *value = p.maxGridSize[0]; break;
    case hipDeviceAttributeMaxGridDimY: *value = p.maxGridSize[1]; break;
    case hipDeviceAttributeMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case hipDeviceAttributeAsyncEngineCount: *value = p.asyncEngineCount; break;
    case hipDeviceAttributeConcurrentKernels: *value = p.concurrentKernels; break;
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
  }
  return hipSuccess;
}

template <class K>
hipError_t hipFuncSetAttribute(K, hipFuncAttribute attribute, int value) {
  if (attribute == hipFuncAttributeMaxDynamicSharedMemorySize) ::porter_sim::api::raise_shared_limit(value);
  return hipSuccess;
}
template <class K>
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, K) {
  *attributes = hipFuncAttributes{};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  return hipSuccess;
}
template <class T>
hipError_t hipHostMalloc(T **out, size_t bytes, unsigned = 0) {
  return hipMallocHost(out, bytes);
}
inline hipError_t hipHostFree(void *address) { return hipFreeHost(address); }
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address) {
  void *start = nullptr;
  int kind = ::porter_sim::api::pointer_kind(address, &start);
  *attributes = {hipMemoryType(kind == 0 ? 2 : kind == 1 ? 3 : kind == 2 ? 1 : 0), 0, (void *)address,
                 kind == 0 ? nullptr : (void *)address, kind == 1, 0};
  return hipSuccess;
}
inline hipError_t hipInit(unsigned) { return hipSuccess; }
inline hipError_t hipDeviceSetLimit(hipLimit_t, size_t) { return hipSuccess; }
// Shared memory has banks of four bytes, and no cache that could be larger or smaller.
inline hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) { return hipSuccess; }
inline hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config) {
  *config = hipSharedMemBankSizeFourByte;
  return hipSuccess;
}
inline hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) {
  *config = hipFuncCachePreferNone;
  return hipSuccess;
}
template <class K>
hipError_t hipFuncSetSharedMemConfig(K, hipSharedMemConfig) {
  return hipSuccess;
}
inline hipError_t hipProfilerStart() { return hipSuccess; }
inline hipError_t hipProfilerStop() { return hipSuccess; }
template <class T>
hipError_t hipMemcpyHtoD(T *to, const void *from, size_t bytes) {
  return hipMemcpy((void *)to, from, bytes, hipMemcpyHostToDevice);
}
template <class T>
hipError_t hipMemcpyDtoH(void *to, T *from, size_t bytes) {
  return hipMemcpy(to, (const void *)from, bytes, hipMemcpyDeviceToHost);
}
inline hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind direction, hipStream_t) {
  return hipMemcpy(to, from, bytes, direction);
}
