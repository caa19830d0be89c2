// expect: builds, API030 4
#include <cuda_runtime.h>
__host__ __device__ int which() {
#if __CUDA_ARCH__ >= 700
  return 1;
#else
  return 0;
#endif
}
__global__ void k(int* x) { x[0] = which(); }
