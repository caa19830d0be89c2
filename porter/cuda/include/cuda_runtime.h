// The runtime API as far as host code must parse. Rarely used calls take any arguments.
#pragma once
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __VECTOR_TYPES_H__
#include "porter_libc.h"
#include "porter_intrinsics.h"
#include "porter_std.h"

enum cudaError {
    cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
    cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700, cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702, cudaErrorPeerAccessAlreadyEnabled = 704, cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801, cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseSetAccessedBy = 5 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct cudaArray* cudaArray_t;
typedef struct CUfunc_st* cudaFunction_t;
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
struct cudaFuncAttributes { size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion; };
struct cudaPointerAttributes { int type, device; void *devicePointer, *hostPointer; };
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, asyncEngineCount, unifiedAddressing;
    int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, regsPerMultiprocessor;
    int managedMemory, isMultiGpuBoard, cooperativeLaunch, concurrentManagedAccess, pageableMemoryAccess, streamPrioritiesSupported;
    int maxBlocksPerMultiProcessor, persistingL2CacheMaxSize;
};
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)

extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
PORTER_HD cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
PORTER_HD cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMalloc(void** pointer, size_t size);
template <class T> cudaError_t cudaMalloc(T** pointer, size_t size);
template <class T> cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0);
template <class T> cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags);
template <class T> cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = 1);
template <class T> cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream);
template <class T> cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height);
template <class T> cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int value, size_t size);
cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T, class S> cudaError_t cudaGetSymbolAddress(T** pointer, const S& symbol);
template <class S> cudaError_t cudaGetSymbolSize(size_t* size, const S& symbol);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = 0);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
template <class K> cudaError_t cudaFuncSetAttribute(K* kernel, cudaFuncAttribute attribute, int value);
template <class K> cudaError_t cudaFuncSetCacheConfig(K* kernel, cudaFuncCache config);
template <class K> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, K* kernel);
template <class K> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K kernel, int threads, size_t shared, unsigned int flags = 0);
template <class K> cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, K kernel, size_t shared = 0, int limit = 0);
template <class K> cudaError_t cudaLaunchKernel(const K* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0);
template <class K> cudaError_t cudaLaunchCooperativeKernel(const K* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0);
cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);
cudaPos make_cudaPos(size_t x, size_t y, size_t z);
cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaDeviceReset(...);
cudaError_t cudaThreadSynchronize(...);
cudaError_t cudaThreadExit(...);
cudaError_t cudaSetDeviceFlags(...);
cudaError_t cudaDeviceSetLimit(...);
cudaError_t cudaDeviceGetLimit(...);
cudaError_t cudaDeviceSetCacheConfig(...);
cudaError_t cudaDeviceSetSharedMemConfig(...);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceCanAccessPeer(...);
cudaError_t cudaDeviceEnablePeerAccess(...);
cudaError_t cudaDeviceDisablePeerAccess(...);
cudaError_t cudaMemcpyPeer(...);
cudaError_t cudaMemcpyPeerAsync(...);
cudaError_t cudaMemcpy2DAsync(...);
cudaError_t cudaMemcpy3D(...);
cudaError_t cudaMemset2D(...);
cudaError_t cudaMemset2DAsync(...);
cudaError_t cudaMalloc3D(...);
cudaError_t cudaMallocArray(...);
cudaError_t cudaMalloc3DArray(...);
cudaError_t cudaFreeArray(...);
cudaError_t cudaMemcpyToArray(...);
cudaError_t cudaMemcpyFromArray(...);
cudaError_t cudaMemcpy2DToArray(...);
cudaError_t cudaHostRegister(...);
cudaError_t cudaHostUnregister(...);
cudaError_t cudaMemPrefetchAsync(...);
cudaError_t cudaMemAdvise(...);
cudaError_t cudaPointerGetAttributes(...);
cudaError_t cudaStreamCreateWithFlags(...);
cudaError_t cudaStreamCreateWithPriority(...);
cudaError_t cudaStreamQuery(...);
cudaError_t cudaStreamWaitEvent(...);
cudaError_t cudaStreamAddCallback(...);
cudaError_t cudaLaunchHostFunc(...);
cudaError_t cudaStreamBeginCapture(...);
cudaError_t cudaStreamEndCapture(...);
cudaError_t cudaStreamAttachMemAsync(...);
cudaError_t cudaEventCreateWithFlags(...);
cudaError_t cudaEventQuery(...);
cudaError_t cudaDriverGetVersion(...);
cudaError_t cudaRuntimeGetVersion(...);
cudaError_t cudaDeviceGetStreamPriorityRange(...);
cudaError_t cudaGraphCreate(...);
cudaError_t cudaGraphInstantiate(...);
cudaError_t cudaGraphLaunch(...);
cudaError_t cudaGraphDestroy(...);
cudaError_t cudaGraphExecDestroy(...);
cudaError_t cudaCreateTextureObject(...);
cudaError_t cudaDestroyTextureObject(...);
cudaError_t cudaCreateSurfaceObject(...);
cudaError_t cudaDestroySurfaceObject(...);
cudaError_t cudaBindTexture(...);
cudaError_t cudaUnbindTexture(...);
cudaError_t cudaBindTextureToArray(...);
cudaError_t cudaProfilerStart(...);
cudaError_t cudaProfilerStop(...);
cudaError_t cudaChooseDevice(...);
cudaError_t cudaDeviceGetDefaultMemPool(...);
cudaError_t cudaMemPoolSetAttribute(...);
cudaError_t cudaFuncSetSharedMemConfig(...);
cudaError_t cudaDeviceGetPCIBusId(...);
cudaError_t cudaIpcGetMemHandle(...);
