// expect: builds
#include <cuda_runtime.h>
__global__ void k(unsigned short* x) { atomicCAS(x, (unsigned short)0, (unsigned short)1); }
