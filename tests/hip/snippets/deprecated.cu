// expect: builds, MEM001 3
#include <cuda_runtime.h>
texture<float, 1, cudaReadModeElementType> ref;
void f() { cudaThreadSynchronize(); }
