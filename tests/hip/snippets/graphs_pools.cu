// expect: builds
#include <cuda_runtime.h>
void f(cudaStream_t s) {
  cudaGraph_t g; cudaGraphExec_t e; void* p; cudaMemPool_t pool;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&e, g, NULL, NULL, 0); cudaGraphLaunch(e, s);
  cudaMallocAsync(&p, 256, s); cudaFreeAsync(p, s); cudaDeviceGetDefaultMemPool(&pool, 0);
}
