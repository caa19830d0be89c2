// expect: builds
#include <cuda_runtime.h>
#include <cstdio>
const char* kHelp = "cudaMalloc then kernel<<<1, 2>>>(a)";  // cudaFree, asm("x")
void f(cudaError_t e) { std::printf("cudaError: %s", cudaGetErrorString(e)); }
