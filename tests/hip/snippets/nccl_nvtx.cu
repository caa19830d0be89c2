// expect: builds
#include <nccl.h>
#include <nvToolsExt.h>
void f(ncclComm_t c, float* x, cudaStream_t s) {
  nvtxRangePushA("reduce"); ncclAllReduce(x, x, 64, ncclFloat, ncclSum, c, s); nvtxRangePop();
}
