// expect: builds
#include <cuda_runtime.h>
constexpr int T = 256;
template <int B> __global__ void __launch_bounds__(T, B) a(float* x) { x[threadIdx.x] *= 2; }
__global__ __launch_bounds__(512, 2) void b(float* x) { x[threadIdx.x] *= 3; }
__global__ void __launch_bounds__(T) c(float* x) { x[threadIdx.x] *= 4; }
void f(float* x) { a<4><<<1, T>>>(x); b<<<1, 512>>>(x); c<<<1, T>>>(x); }
