// expect: builds, API007 4, API007 6
#include <cuda_runtime.h>
const char* name(cudaError_t e) {
  switch (e) { case cudaErrorInvalidHostPointer: return "host pointer";
    case cudaSuccess: return "success";
    case cudaErrorTextureNotBound: case cudaErrorInvalidValue: return "value"; default: return "?"; }
}
