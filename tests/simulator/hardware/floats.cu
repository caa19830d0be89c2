// Conversions and arithmetic of half, bfloat16 and 8-bit floats, shuffles and votes, atomics, textures.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "hardware.h"

// Odd threads get any bit pattern, even ones a number near 1.
__device__ float number(unsigned i) {
  const unsigned bits = word(i);
  return __uint_as_float(i & 1 ? bits : (bits & 0x807fffff) | ((115 + (bits >> 23) % 22) << 23));
}
__device__ __half half_number(unsigned i) { return __ushort_as_half((unsigned short)word(i)); }
__device__ __nv_bfloat16 bfloat16_number(unsigned i) {
  const unsigned short bits = (unsigned short)word(i);
  return __ushort_as_bfloat16(i & 1 ? bits : (bits & 0x807f) | ((115 + (bits >> 7) % 22) << 7));
}
#define HU(x) __half_as_ushort(x)
#define BU(x) __bfloat16_as_ushort(x)

#define HALF(name, expression)                                                                        \
  __global__ void run_##name(unsigned *out) {                                                               \
    THREAD;                                                                                           \
    const float f = number(i);                                                                        \
    const __half a = half_number(i), b = half_number(i + 9999), c = half_number(i + 77777);           \
    out[i] = unsigned(expression) + 0 * unsigned(f == 1 && __hisnan(a) && __hisnan(b) && __hisnan(c)); \
  }
#define BFLOAT16(name, expression)                                                                            \
  __global__ void run_##name(unsigned *out) {                                                                       \
    THREAD;                                                                                                   \
    const float f = number(i);                                                                                \
    const __nv_bfloat16 a = bfloat16_number(i), b = bfloat16_number(i + 9998), c = bfloat16_number(i + 77776); \
    out[i] = unsigned(expression) + 0 * unsigned(f == 1 && __hisnan(a) && __hisnan(b) && __hisnan(c));         \
  }

HALF(f2h_rn, HU(__float2half_rn(f)))
HALF(f2h_rz, HU(__float2half_rz(f)))
HALF(f2h_rd, HU(__float2half_rd(f)))
HALF(f2h_ru, HU(__float2half_ru(f)))
HALF(h2i_rn, __half2int_rn(a))
HALF(h2i_rz, __half2int_rz(a))
HALF(h2us_rd, __half2ushort_rd(a))
HALF(i2h_rn, HU(__int2half_rn(int(word(i)))))
HALF(i2h_ru, HU(__int2half_ru(int(word(i)) >> 12)))
HALF(hadd, HU(__hadd(a, b)))
HALF(hsub, HU(__hsub(a, b)))
HALF(hmul, HU(__hmul(a, b)))
HALF(hdiv, HU(__hdiv(a, b)))
HALF(hfma, HU(__hfma(a, b, c)))
HALF(hfma_relu, HU(__hfma_relu(a, b, c)))
HALF(hadd_sat, HU(__hadd_sat(a, b)))
HALF(hmin, HU(__hmin(a, b)))
HALF(hmax, HU(__hmax(a, b)))
HALF(hmin_nan, HU(__hmin_nan(a, b)))
HALF(hmax_nan, HU(__hmax_nan(a, b)))
HALF(hneg, HU(__hneg(a)))
HALF(habs, HU(__habs(a)))
HALF(hlt, __hlt(a, b))
HALF(hltu, __hltu(a, b))
HALF(hne, __hne(a, b))
HALF(hneu, __hneu(a, b))
HALF(hisnan, __hisnan(a))
HALF(hisinf, __hisinf(a))
HALF(hrint, HU(hrint(a)))
HALF(hfloor, HU(hfloor(a)))
HALF(hceil, HU(hceil(a)))
HALF(htrunc, HU(htrunc(a)))
HALF(hsqrt, HU(hsqrt(a)))
BFLOAT16(f2b_rn, BU(__float2bfloat16_rn(f)))
BFLOAT16(f2b_rz, BU(__float2bfloat16_rz(f)))
BFLOAT16(f2b_rd, BU(__float2bfloat16_rd(f)))
BFLOAT16(f2b_ru, BU(__float2bfloat16_ru(f)))
BFLOAT16(badd, BU(__hadd(a, b)))
BFLOAT16(bsub, BU(__hsub(a, b)))
BFLOAT16(bmul, BU(__hmul(a, b)))
BFLOAT16(bdiv, BU(__hdiv(a, b)))
BFLOAT16(bfma, BU(__hfma(a, b, c)))
BFLOAT16(bmin, BU(__hmin(a, b)))
BFLOAT16(bmax_nan, BU(__hmax_nan(a, b)))
BFLOAT16(b2i_rn, __bfloat162int_rn(a))
BFLOAT16(i2b_rn, BU(__int2bfloat16_rn(int(word(i)))))
BFLOAT16(brint, BU(hrint(a)))
BFLOAT16(bsqrt, BU(hsqrt(a)))
HALF(e4m3_sat, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3))
HALF(e4m3_no, __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3))
HALF(e5m2_sat, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2))
HALF(e5m2_no, __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2))
HALF(h_e4m3, __nv_cvt_halfraw_to_fp8(__half_raw(a), __NV_SATFINITE, __NV_E4M3))
HALF(h_e5m2, __nv_cvt_halfraw_to_fp8(__half_raw(a), __NV_NOSAT, __NV_E5M2))
HALF(e4m3_h, __half_raw(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E4M3)).x)
HALF(e5m2_h, __half_raw(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E5M2)).x)

#define WARP(name, expression)                                     \
  __global__ void run_##name(unsigned *out) {                            \
    THREAD;                                                        \
    const unsigned v = word(i);                                    \
    const int lane = int(threadIdx.x % 32);                        \
    int all = 0;                                                   \
    const unsigned result = expression;                            \
    out[i] = result + 0 * unsigned(lane + all);                    \
  }
WARP(warp0, __shfl_sync(~0u, v, lane * 5 + 3))
WARP(warp1, __shfl_sync(~0u, v, lane - 40, 8))
WARP(warp2, __shfl_up_sync(~0u, v, 3, 8))
WARP(warp3, __shfl_down_sync(~0u, v, 5, 16))
WARP(warp4, __shfl_xor_sync(~0u, v, 12, 8))
WARP(warp5, __shfl_xor_sync(~0u, v, 33))
WARP(warp6, __shfl_up_sync(~0u, v, 32))
WARP(warp7, __shfl_down_sync(~0u, v, 40))
WARP(warp8, __match_any_sync(~0u, v & 7))
WARP(warp9, __match_all_sync(~0u, v >> 31, &all) + all)
WARP(warp10, __reduce_add_sync(~0u, v) + __reduce_xor_sync(~0u, v))
WARP(warp11, __reduce_min_sync(~0u, int(v)))
WARP(warp12, __ballot_sync(~0u, v & 1))
WARP(warp13, __all_sync(~0u, v) + 2 * __any_sync(~0u, v == 1))
WARP(warp14, __fns(v, lane, 3))
WARP(warp15, unsigned(__shfl_xor_sync(~0u, (long long)v << 20, 1)))

__device__ unsigned counters[16];
__global__ void count_up(unsigned *) {
  THREAD;
  if (i >= 1000) return;
  atomicInc(&counters[0], 37);
  atomicDec(&counters[1], 41);
  atomicMax((int *)&counters[2], int(word(i)));
  atomicMin(&counters[3], word(i));
  atomicXor(&counters[4], word(i));
  atomicAnd(&counters[5], word(i) | 0xff);
  atomicOr(&counters[6], word(i) & 0xff);
  atomicSub(&counters[7], word(i));
}
__global__ void read_counters(unsigned *out) {
  THREAD;
  out[i] = i < 16 ? counters[i] : 0;
}

// Filtered values to the nearest whole number: the last bits of a sum of weighted texels are not compared.
__device__ unsigned shown(float value, bool linear) { return linear ? unsigned(rintf(value)) : __float_as_uint(value); }
__global__ void fetch_1d(unsigned *out, cudaTextureObject_t texture, float scale, float shift, bool linear) {
  THREAD;
  out[i] = shown(tex1D<float>(texture, __fadd_rn(__fmul_rn(float(i), scale), shift)), linear);
}
__global__ void fetch_2d(unsigned *out, cudaTextureObject_t texture, float scale, float shift, bool linear) {
  THREAD;
  const float x = __fadd_rn(__fmul_rn(float(i % 45), scale), shift), y = __fadd_rn(__fmul_rn(float(i / 45), scale), shift);
  out[i] = shown(tex2D<float>(texture, x, y), linear);
}

cudaArray_t image(int width, int height) {
  static float texels[512];
  for (int i = 0; i < 512; ++i) texels[i] = float(word(i) % 1000) * 0.37f;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, width, height);
  const size_t pitch = width * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, texels, pitch, pitch, height ? height : 1, cudaMemcpyHostToDevice);
  return array;
}

void fetch(int dimensions, bool normalized, int address_mode, bool linear) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = dimensions == 1 ? image(32, 0) : image(32, 16);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaTextureAddressMode(address_mode);
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = normalized;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  const float scale = normalized ? 0.0031f : 0.083f, shift = normalized ? -0.61f : -5.3f;
  char name[64];
  snprintf(name, sizeof name, "%dd texture, %s coordinates, address mode %d, %s", dimensions,
           normalized ? "normalized" : "texel", address_mode, linear ? "linear" : "point");
  dimensions == 1 ? show(name, fetch_1d, texture, scale * 0.3f, shift, linear)
                  : show(name, fetch_2d, texture, scale * 3, shift, linear);
}

int main() {
  show("f2h_rn", run_f2h_rn);
  show("f2h_rz", run_f2h_rz);
  show("f2h_rd", run_f2h_rd);
  show("f2h_ru", run_f2h_ru);
  show("h2i_rn", run_h2i_rn);
  show("h2i_rz", run_h2i_rz);
  show("h2us_rd", run_h2us_rd);
  show("i2h_rn", run_i2h_rn);
  show("i2h_ru", run_i2h_ru);
  show("hadd", run_hadd);
  show("hsub", run_hsub);
  show("hmul", run_hmul);
  show("hdiv", run_hdiv);
  show("hfma", run_hfma);
  show("hfma_relu", run_hfma_relu);
  show("hadd_sat", run_hadd_sat);
  show("hmin", run_hmin);
  show("hmax", run_hmax);
  show("hmin_nan", run_hmin_nan);
  show("hmax_nan", run_hmax_nan);
  show("hneg", run_hneg);
  show("habs", run_habs);
  show("hlt", run_hlt);
  show("hltu", run_hltu);
  show("hne", run_hne);
  show("hneu", run_hneu);
  show("hisnan", run_hisnan);
  show("hisinf", run_hisinf);
  show("hrint", run_hrint);
  show("hfloor", run_hfloor);
  show("hceil", run_hceil);
  show("htrunc", run_htrunc);
  show("hsqrt", run_hsqrt);
  show("f2b_rn", run_f2b_rn);
  show("f2b_rz", run_f2b_rz);
  show("f2b_rd", run_f2b_rd);
  show("f2b_ru", run_f2b_ru);
  show("badd", run_badd);
  show("bsub", run_bsub);
  show("bmul", run_bmul);
  show("bdiv", run_bdiv);
  show("bfma", run_bfma);
  show("bmin", run_bmin);
  show("bmax_nan", run_bmax_nan);
  show("b2i_rn", run_b2i_rn);
  show("i2b_rn", run_i2b_rn);
  show("brint", run_brint);
  show("bsqrt", run_bsqrt);
  show("e4m3_sat", run_e4m3_sat);
  show("e4m3_no", run_e4m3_no);
  show("e5m2_sat", run_e5m2_sat);
  show("e5m2_no", run_e5m2_no);
  show("h_e4m3", run_h_e4m3);
  show("h_e5m2", run_h_e5m2);
  show("e4m3_h", run_e4m3_h);
  show("e5m2_h", run_e5m2_h);
  show("__shfl_sync(~0u, v, lane * 5 + 3)", run_warp0);
  show("__shfl_sync(~0u, v, lane - 40, 8)", run_warp1);
  show("__shfl_up_sync(~0u, v, 3, 8)", run_warp2);
  show("__shfl_down_sync(~0u, v, 5, 16)", run_warp3);
  show("__shfl_xor_sync(~0u, v, 12, 8)", run_warp4);
  show("__shfl_xor_sync(~0u, v, 33)", run_warp5);
  show("__shfl_up_sync(~0u, v, 32)", run_warp6);
  show("__shfl_down_sync(~0u, v, 40)", run_warp7);
  show("__match_any_sync(~0u, v & 7)", run_warp8);
  show("__match_all_sync(~0u, v >> 31, &all) + all", run_warp9);
  show("__reduce_add_sync(~0u, v) + __reduce_xor_sync(~0u, v)", run_warp10);
  show("__reduce_min_sync(~0u, int(v))", run_warp11);
  show("__ballot_sync(~0u, v & 1)", run_warp12);
  show("__all_sync(~0u, v) + 2 * __any_sync(~0u, v == 1)", run_warp13);
  show("__fns(v, lane, 3)", run_warp14);
  show("unsigned(__shfl_xor_sync(~0u, (long long)v << 20, 1))", run_warp15);
  count_up<<<32, 64>>>(nullptr);
  show("counters", read_counters);
  for (int address_mode = 0; address_mode < 4; ++address_mode) {
    for (bool normalized : {false, true}) {
      for (bool linear : {false, true}) {
        fetch(2, normalized, address_mode, linear);
        // The GPU halves a border's texels in one dimension, as if there were a second one.
        if (!linear || address_mode != cudaAddressModeBorder) fetch(1, normalized, address_mode, linear);
      }
    }
  }
}
