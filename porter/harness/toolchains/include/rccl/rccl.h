// porter's own rccl/rccl.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/rccl.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hip_fp16.h>
#include <stddef.h>

typedef struct ncclComm* ncclComm_t;
typedef enum { ncclSuccess=0, ncclUnhandledCudaError=1, ncclSystemError=2, ncclInternalError=3, ncclInvalidArgument=4, ncclInvalidUsage=5, ncclRemoteError=6, ncclInProgress=7, ncclNumResults=8 } ncclResult_t;
typedef enum { ncclSum=0, ncclProd=1, ncclMax=2, ncclMin=3, ncclAvg=4, ncclNumOps=5, ncclMaxRedOp=0x7fffffff } ncclRedOp_t;
typedef enum { ncclInt8=0, ncclChar=0, ncclUint8=1, ncclInt32=2, ncclInt=2, ncclUint32=3, ncclInt64=4, ncclUint64=5, ncclFloat16=6, ncclHalf=6, ncclFloat32=7, ncclFloat=7, ncclFloat64=8, ncclDouble=8, ncclBfloat16=9, ncclFloat8e4m3=10, ncclFloat8e5m2=11, ncclNumTypes=12 } ncclDataType_t;
typedef enum { ncclScalarDevice=0, ncclScalarHostImmediate=1 } ncclScalarResidence_t;
struct ncclUniqueId { char internal[128]; };
struct ncclConfig_t { size_t size; unsigned magic; unsigned version; int blocking; int cgaClusterSize; int minCTAs; int maxCTAs; const char* netName; int splitShare; };
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_CONFIG_UNDEF_INT (-2147483647 - 1)
#define NCCL_CONFIG_INITIALIZER {sizeof(ncclConfig_t), 0xcafebeef, 21700, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, nullptr, NCCL_CONFIG_UNDEF_INT}

extern "C" {
ncclResult_t ncclGetVersion(int*);
ncclResult_t ncclGetUniqueId(ncclUniqueId*);
ncclResult_t ncclCommInitRank(ncclComm_t*, int, ncclUniqueId, int);
ncclResult_t ncclCommInitRankConfig(ncclComm_t*, int, ncclUniqueId, int, ncclConfig_t*);
ncclResult_t ncclCommInitAll(ncclComm_t*, int, const int*);
ncclResult_t ncclCommFinalize(ncclComm_t);
ncclResult_t ncclCommDestroy(ncclComm_t);
ncclResult_t ncclCommAbort(ncclComm_t);
ncclResult_t ncclCommSplit(ncclComm_t, int, int, ncclComm_t*, ncclConfig_t*);
const char* ncclGetErrorString(ncclResult_t);
const char* ncclGetLastError(const ncclComm_t);
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t*);
ncclResult_t ncclCommCount(const ncclComm_t, int*);
ncclResult_t ncclCommCuDevice(const ncclComm_t, int*);
ncclResult_t ncclCommUserRank(const ncclComm_t, int*);
ncclResult_t ncclCommRegister(const ncclComm_t, void*, size_t, void**);
ncclResult_t ncclCommDeregister(const ncclComm_t, void*);
ncclResult_t ncclMemAlloc(void**, size_t);
ncclResult_t ncclMemFree(void*);
ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t*, void*, ncclDataType_t, ncclScalarResidence_t, ncclComm_t);
ncclResult_t ncclRedOpDestroy(ncclRedOp_t, ncclComm_t);
ncclResult_t ncclReduce(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclBcast(void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclBroadcast(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclAllReduce(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, hipStream_t);
ncclResult_t ncclReduceScatter(const void*, void*, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, hipStream_t);
ncclResult_t ncclAllGather(const void*, void*, size_t, ncclDataType_t, ncclComm_t, hipStream_t);
ncclResult_t ncclSend(const void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclRecv(void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclGather(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclScatter(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t, hipStream_t);
ncclResult_t ncclAllToAll(const void*, void*, size_t, ncclDataType_t, ncclComm_t, hipStream_t);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
}
