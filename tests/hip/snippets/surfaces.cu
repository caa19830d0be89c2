// expect: builds, MEM001 3
#include <cuda_runtime.h>
__global__ void k(cudaSurfaceObject_t t) { surf2Dwrite(1.0f, t, 4, 4); }
