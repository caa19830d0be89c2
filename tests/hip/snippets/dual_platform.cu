// expect: left, BLD002 1
#if defined(USE_ROCM)
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#else
#include <cuda_runtime.h>
#endif
void f(void** p) { cudaMalloc(p, 16); }
