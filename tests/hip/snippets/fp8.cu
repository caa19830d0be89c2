// expect: builds, NUM001 4
#include <cuda_runtime.h>
#include <cuda_fp8.h>
__global__ void k(__nv_fp8_e4m3* x, float* f, __nv_fp8x4_e5m2* q, float4* v) {
  x[0] = __nv_fp8_e4m3(448.f); f[0] = float(x[1]);
  __nv_fp8_storage_t s = __nv_cvt_float_to_fp8(1.f, __NV_SATFINITE, __NV_E4M3); f[1] = s;
  q[0] = __nv_fp8x4_e5m2(v[0]);
}
