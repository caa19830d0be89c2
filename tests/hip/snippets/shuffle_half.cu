// expect: builds
#include <cuda_runtime.h>
#include <cuda_fp16.h>
__global__ void k(half* x) {
  half v = x[threadIdx.x];
  v = __hadd(v, __shfl_xor_sync(0xffffffff, v, 16));
  half2 p = __halves2half2(v, v);
  p = __shfl_down_sync(0xffffffff, p, 1);
  x[threadIdx.x] = __low2half(p);
}
