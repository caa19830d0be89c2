// expect: refused, LCH001 4
#include <cuda_runtime.h>
__global__ void child(int* x) { x[0] = 1; }
__global__ void k(int* x) { child<<<1, 1>>>(x); }
