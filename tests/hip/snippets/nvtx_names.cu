// expect: builds, API008 5
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
void f(cudaStream_t s) { nvtxNameCudaStreamA(s, "copy"); nvtxRangePushA("x"); nvtxRangePop(); }
