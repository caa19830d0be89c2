// expect: builds
#include <cuda_runtime.h>
#include <cuda_bf16.h>
__global__ void k(nv_bfloat16* x, float* f, __nv_bfloat162* p) {
  __nv_bfloat16 a = __float2bfloat16_rn(f[0]);
  nv_bfloat162 q = make_bfloat162(a, __float2bfloat16(2.0f));
  p[0] = __hmul2(q, __floats2bfloat162_rn(1.0f, 2.0f));
  x[0] = a; f[1] = __bfloat162float(x[1]);
}
