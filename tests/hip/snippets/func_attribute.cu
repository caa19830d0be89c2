// expect: builds
#include <cuda_runtime.h>
template <typename T, int N> __global__ void k(T* x) { extern __shared__ T s[]; x[0] = s[N]; }
void f(float* x) {
  cudaFuncSetAttribute(k<float, 2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 << 10);
  k<float, 2><<<1, 64, 48 << 10>>>(x);
}
