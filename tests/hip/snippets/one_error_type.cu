// expect: builds
#include <cuda.h>
#include <cuda_runtime.h>
static const char* name(cudaError_t e) { return cudaGetErrorString(e); }
#ifdef __cuda_cuda_h__
static const char* name(CUresult e) { const char* text = 0; cuGetErrorName(e, &text); return text; }
#endif
const char* both() { return name(cudaSuccess) ? name(CUDA_SUCCESS) : ""; }
