// The part of CUDA's driver API that programs mix with the runtime: devices, contexts that are always there,
// memory, streams, events. Modules hold machine code or PTX, which the simulator does not run: loading one is refused
// where the program does it.
#pragma once
#pragma GCC system_header

// The guard of NVIDIA's own header, which others test.
#define __cuda_cuda_h__

#include "cuda_runtime.h"

typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct cudaStream *CUstream;
typedef struct cudaEvent *CUevent;
typedef unsigned long long CUdeviceptr;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlinkState_st *CUlinkState;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
enum CUjit_option { CU_JIT_MAX_REGISTERS = 0, CU_JIT_INFO_LOG_BUFFER = 3, CU_JIT_ERROR_LOG_BUFFER = 5 };
enum CUctx_flags { CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4 };
struct CUctxCreateParams {
  void *execAffinityParams;
  int numExecAffinityParams;
  void *cigParams;
};
struct CUuuid {
  char bytes[16];
};

enum CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_PROFILER_DISABLED = 5,
  CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
  CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
  CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
  CUDA_ERROR_MAP_FAILED = 205,
  CUDA_ERROR_UNMAP_FAILED = 206,
  CUDA_ERROR_ARRAY_IS_MAPPED = 207,
  CUDA_ERROR_ALREADY_MAPPED = 208,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ALREADY_ACQUIRED = 210,
  CUDA_ERROR_NOT_MAPPED = 211,
  CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
  CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
  CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
  CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
  CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
  CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
  CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
  CUDA_ERROR_INVALID_SOURCE = 300,
  CUDA_ERROR_FILE_NOT_FOUND = 301,
  CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
  CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
  CUDA_ERROR_OPERATING_SYSTEM = 304,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_ILLEGAL_STATE = 401,
  CUDA_ERROR_LOSSY_QUERY = 402,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
  CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_TOO_MANY_PEERS = 711,
  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
  CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
  CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
  CUDA_ERROR_INVALID_PC = 718,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
  CUDA_ERROR_NOT_PERMITTED = 800,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_SYSTEM_NOT_READY = 802,
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
  CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
  CUDA_ERROR_MPS_RPC_FAILURE = 806,
  CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
  CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
  CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
  CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
  CUDA_ERROR_CDP_NOT_SUPPORTED = 811,
  CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
  CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
  CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
  CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
  CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
  CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
  CUDA_ERROR_CAPTURED_EVENT = 907,
  CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
  CUDA_ERROR_TIMEOUT = 909,
  CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
  CUDA_ERROR_EXTERNAL_DEVICE = 911,
  CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
  CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
  CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,
  CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
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

// The one context is there from the start; creating another gives it again.
inline CUcontext porter_context() {
  static char context;
  return (CUcontext)&context;
}
inline CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice) {
  *context = porter_context();
  return CUDA_SUCCESS;
}
inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { return cuCtxCreate(context, 0u, device); }
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = porter_context();
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPopCurrent(CUcontext *context) { return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS; }
inline CUresult cuCtxGetDevice(CUdevice *device) { return CUresult(cudaGetDevice(device)); }
inline CUresult cuCtxSynchronize() { return CUresult(cudaDeviceSynchronize()); }

inline CUresult cuStreamCreate(CUstream *out, unsigned flags) { return CUresult(cudaStreamCreateWithFlags(out, flags)); }
inline CUresult cuStreamDestroy(CUstream stream) { return CUresult(cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) { return CUresult(cudaStreamSynchronize(stream)); }
inline CUresult cuEventCreate(CUevent *out, unsigned flags) { return CUresult(cudaEventCreateWithFlags(out, flags)); }
inline CUresult cuEventDestroy(CUevent event) { return CUresult(cudaEventDestroy(event)); }
inline CUresult cuEventRecord(CUevent event, CUstream stream) { return CUresult(cudaEventRecord(event, stream)); }
inline CUresult cuEventSynchronize(CUevent event) { return CUresult(cudaEventSynchronize(event)); }
inline CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { return CUresult(cudaEventElapsedTime(ms, from, to)); }

#define PORTER_REFUSED(name, parameters)                                                                        \
  inline CUresult name parameters {                                                                             \
    return CUresult(::porter_sim::api::refuse(#name, "machine code and PTX are not run: compile the kernel with " \
                                                     "the program", porter_file, porter_line));                 \
  }
PORTER_REFUSED(cuModuleLoad, (CUmodule *, const char *, PORTER_HERE))
PORTER_REFUSED(cuModuleLoadData, (CUmodule *, const void *, PORTER_HERE))
PORTER_REFUSED(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, CUjit_option *, void **, PORTER_HERE))
PORTER_REFUSED(cuModuleLoadFatBinary, (CUmodule *, const void *, PORTER_HERE))
PORTER_REFUSED(cuModuleGetFunction, (CUfunction *, CUmodule, const char *, PORTER_HERE))
PORTER_REFUSED(cuModuleGetGlobal, (CUdeviceptr *, size_t *, CUmodule, const char *, PORTER_HERE))
PORTER_REFUSED(cuModuleUnload, (CUmodule, PORTER_HERE))
PORTER_REFUSED(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                                void **, void **, PORTER_HERE))
PORTER_REFUSED(cuLinkCreate, (unsigned, CUjit_option *, void **, CUlinkState *, PORTER_HERE))
#undef PORTER_REFUSED

inline CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes) { return CUresult(cudaMalloc((void **)out, bytes)); }
inline CUresult cuMemFree(CUdeviceptr address) { return CUresult(cudaFree((void *)address)); }
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return CUresult(cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return CUresult(cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return CUresult(cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return CUresult(cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream));
}
inline CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return CUresult(cudaMemcpyAsync(to, (const void *)from, bytes, cudaMemcpyDeviceToHost, stream));
}
inline CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return CUresult(cudaMemset((void *)to, value, count));
}
inline CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return CUresult(::porter_sim::fill_elements({(void *)to, count * 4, value, 4, count, 1}));
}
inline CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) { return CUresult(cudaHostAlloc(out, bytes, flags)); }
inline CUresult cuMemAllocHost(void **out, size_t bytes) { return CUresult(cudaMallocHost(out, bytes)); }
inline CUresult cuMemFreeHost(void *address) { return CUresult(cudaFreeHost(address)); }
inline CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) { return CUresult(cudaMemGetInfo(free_bytes, total)); }
inline CUresult cuGetErrorName(CUresult status, const char **text) {
  *text = cudaGetErrorName(cudaError_t(status));
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult status, const char **text) {
  *text = cudaGetErrorString(cudaError_t(status));
  return CUDA_SUCCESS;
}
