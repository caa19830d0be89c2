// expect: builds
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half* h, half2* h2, __nv_bfloat162* b, __nv_bfloat16* c) {
  atomicAdd(h, __float2half(1.0f)); atomicAdd(h2, __float2half2_rn(1.0f));
  atomicAdd(b, __float2bfloat162_rn(1.0f)); atomicAdd(c, __float2bfloat16(1.0f));
}
