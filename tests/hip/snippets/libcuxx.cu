// expect: refused, LIB001 3, LIB010 4
#include <cuda_runtime.h>
#include <cuda/atomic>
__global__ void k(cuda::atomic<int>* x) { x->fetch_add(1); }
