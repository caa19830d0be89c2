// Conversions and arithmetic of the 16- and 8-bit formats on floats from standard input; writes every result.
#include <cstdio>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void convert(const float *in, unsigned short *out, int n) {
  int i = int(threadIdx.x + blockIdx.x * blockDim.x), op = 0;
  if (i >= n) return;
  float x = in[i], y = in[(i + 1) % n], z = in[(i + 2) % n];
#define PUT(value) out[n * op++ + i] = value;
#define EACH(T, name, from)                                                                                         \
  PUT(__##name##_as_ushort(__float2##name##_rn(x))) PUT(__##name##_as_ushort(__float2##name##_rz(x)))               \
  PUT(__##name##_as_ushort(__float2##name##_ru(x))) PUT(__##name##_as_ushort(__float2##name##_rd(x)))               \
  {                                                                                                                 \
    T a = __float2##name##_rn(x), b = __float2##name##_rn(y), c = __float2##name##_rn(z);                           \
    PUT(__##name##_as_ushort(__hadd(a, b))) PUT(__##name##_as_ushort(__hsub(a, b)))                                 \
    PUT(__##name##_as_ushort(__hmul(a, b))) PUT(__##name##_as_ushort(__hdiv(a, b)))                                 \
    PUT(__##name##_as_ushort(__hfma(a, b, c))) PUT(__##name##_as_ushort(hsqrt(a)))                                  \
    PUT(__##name##_as_ushort(hexp(a))) PUT(__##name##_as_ushort(__hmax(a, b)))                                      \
    PUT(__##name##_as_ushort(__hmin_nan(a, b)))                                                                     \
    PUT((unsigned short)__##name##2short_rn(a)) PUT((unsigned short)__##name##2ushort_rz(a))                        \
    PUT(__##name##_as_ushort(__int2##name##_rd(__float2int_rz(x))))                                                 \
    PUT((unsigned short)(__hlt(a, b) | __hle(a, b) << 1 | __heq(a, b) << 2 | __hne(a, b) << 3 | __hltu(a, b) << 4 | \
                         __hgeu(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7))                                \
  }
  EACH(__half, half, float)
  EACH(__nv_bfloat16, bfloat16, float)
#define EIGHT(kind)                                               \
  PUT(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_##kind))      \
  PUT(__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_##kind))          \
  PUT(__nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_##kind).x)
  EIGHT(E4M3)
  EIGHT(E5M2)
}

int main() {
  std::vector<float> values;
  for (float value; fread(&value, 4, 1, stdin) == 1;) values.push_back(value);
  int n = int(values.size()), ops = 2 * 17 + 6;
  float *in;
  unsigned short *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, size_t(n) * ops * 2);
  cudaMemcpy(in, values.data(), n * 4, cudaMemcpyHostToDevice);
  convert<<<(n + 127) / 128, 128>>>(in, out, n);
  std::vector<unsigned short> results(size_t(n) * ops);
  cudaMemcpy(results.data(), out, results.size() * 2, cudaMemcpyDeviceToHost);
  fwrite(results.data(), 2, results.size(), stdout);
}
