// expect: builds, API031 4, API031 7
#include <cuda_runtime.h>
__constant__ float table[4];
#if defined(CUDART_VERSION) && CUDART_VERSION >= 4000
__global__ void k(register float* x, const __grid_constant__ int n) { register int i = threadIdx.x; assert(i < n); x[i] = table[0]; }
#endif
int version() { return CUDART_VERSION / 1000; }
void f(float* x, float* host) {
  k<< <1, 64>> >(x, 64);
  k<<< 1, 64 >> >(x, 64);
  cudaMemcpyToSymbol("table", host, 16);
  float* mapped;
  cudaHostGetDevicePointer(&mapped, host, 0);
}
void draw(struct cudaGraphicsResource** resource);
#define SUFFIX "d"
#define fKind "x"
const char* format = "%"SUFFIX "/%"fKind;
void streams(int count, const int* sizes) {
  cudaStream_t all[count] = {0};
  float sums[count]{};
  float first[4] = {0};
  cudaStreamCreate(&all[sizes[0]]);
}
