// expect: builds
#ifdef __cplusplus
extern "C" {
#endif
#include "cuda.h"
#include <cuda_runtime.h>
__global__ void k(float* x) { x[0] = 1; }
void f(float* x) { k<<<1, 1>>>(x); cudaFree(x); }
#ifdef __cplusplus
}
#endif
