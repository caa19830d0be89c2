// expect: builds, MEM001 3
#include <cuda_runtime.h>
__global__ void k(cudaTextureObject_t t, float* o) { o[0] = tex2D<float>(t, 0.5f, 0.5f); }
