// expect: refused, WAV010 3
#include <cuda_runtime.h>
#define exchange __shfl_sync
__global__ void k(int* x) { x[0] = exchange(0xffffffff, x[1], 0); }
