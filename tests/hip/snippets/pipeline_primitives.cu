// expect: refused, LIB001 3, MEM003 6
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void k(float* g) {
  __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &g[threadIdx.x], 4);
  g[0] = s[0];
}
