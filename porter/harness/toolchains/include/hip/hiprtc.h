// porter's own hip/hiprtc.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/hiprtc.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <stddef.h>

typedef struct hiprtcProgram_t* hiprtcProgram;
typedef struct ihiprtcLinkState* hiprtcLinkState;
typedef enum { HIPRTC_SUCCESS=0, HIPRTC_ERROR_OUT_OF_MEMORY=1, HIPRTC_ERROR_PROGRAM_CREATION_FAILURE=2, HIPRTC_ERROR_INVALID_INPUT=3, HIPRTC_ERROR_INVALID_PROGRAM=4, HIPRTC_ERROR_INVALID_OPTION=5, HIPRTC_ERROR_COMPILATION=6, HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE=7, HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION=8, HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION=9, HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID=10, HIPRTC_ERROR_INTERNAL_ERROR=11, HIPRTC_ERROR_LINKING=100 } hiprtcResult;

extern "C" {
const char* hiprtcGetErrorString(hiprtcResult);
hiprtcResult hiprtcVersion(int*, int*);
hiprtcResult hiprtcCreateProgram(hiprtcProgram*, const char*, const char*, int, const char* const*, const char* const*);
hiprtcResult hiprtcDestroyProgram(hiprtcProgram*);
hiprtcResult hiprtcCompileProgram(hiprtcProgram, int, const char* const*);
hiprtcResult hiprtcAddNameExpression(hiprtcProgram, const char*);
hiprtcResult hiprtcGetLoweredName(hiprtcProgram, const char*, const char**);
hiprtcResult hiprtcGetCode(hiprtcProgram, char*);
hiprtcResult hiprtcGetCodeSize(hiprtcProgram, size_t*);
hiprtcResult hiprtcGetBitcode(hiprtcProgram, char*);
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram, size_t*);
hiprtcResult hiprtcGetProgramLog(hiprtcProgram, char*);
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram, size_t*);
}
