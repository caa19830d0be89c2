// NVRTC compiles kernels while the program runs; the simulator compiles them with the program. Every call says so.
#pragma once
#pragma GCC system_header

#include "cuda.h"

typedef struct _nvrtcProgram *nvrtcProgram;
enum nvrtcResult { NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_COMPILATION = 6, NVRTC_ERROR_INTERNAL_ERROR = 11 };

#define PORTER_REFUSED(name, parameters)                                                                         \
  inline nvrtcResult name parameters {                                                                           \
    ::porter_sim::api::refuse(#name, "kernels are compiled with the program, not while it runs", porter_file,    \
                              porter_line);                                                                      \
    return NVRTC_ERROR_INTERNAL_ERROR;                                                                           \
  }
PORTER_REFUSED(nvrtcCreateProgram, (nvrtcProgram *, const char *, const char *, int, const char *const *,
                                    const char *const *, PORTER_HERE))
PORTER_REFUSED(nvrtcCompileProgram, (nvrtcProgram, int, const char *const *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetPTXSize, (nvrtcProgram, size_t *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetPTX, (nvrtcProgram, char *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetCUBINSize, (nvrtcProgram, size_t *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetCUBIN, (nvrtcProgram, char *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetProgramLogSize, (nvrtcProgram, size_t *, PORTER_HERE))
PORTER_REFUSED(nvrtcGetProgramLog, (nvrtcProgram, char *, PORTER_HERE))
PORTER_REFUSED(nvrtcDestroyProgram, (nvrtcProgram *, PORTER_HERE))
#undef PORTER_REFUSED

inline const char *nvrtcGetErrorString(nvrtcResult result) {
  return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR_INTERNAL_ERROR";
}
