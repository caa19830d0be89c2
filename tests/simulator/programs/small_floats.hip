// HIP's four 8-bit formats of the floats on standard input, with or without saturation.
#include <hip/hip_fp8.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void convert(const float *in, unsigned char *out, int n, __hip_saturation_t saturation) {
  int i = int(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  out[i] = __hip_cvt_float_to_fp8(in[i], saturation, __HIP_E4M3);
  out[n + i] = __hip_cvt_float_to_fp8(in[i], saturation, __HIP_E5M2);
  out[2 * n + i] = __hip_cvt_float_to_fp8(in[i], saturation, __HIP_E4M3_FNUZ);
  out[3 * n + i] = saturation ? __hip_fp8_e5m2_fnuz(in[i]).__x : __hip_cvt_float_to_fp8(in[i], saturation, __HIP_E5M2_FNUZ);
}

int main(int, char **argv) {
  std::vector<float> values;
  for (float value; fread(&value, 4, 1, stdin) == 1;) values.push_back(value);
  int n = int(values.size());
  float *in;
  unsigned char *out;
  (void)hipMalloc(&in, n * 4);
  (void)hipMalloc(&out, n * 4);
  (void)hipMemcpy(in, values.data(), n * 4, hipMemcpyHostToDevice);
  convert<<<(n + 127) / 128, 128>>>(in, out, n, __hip_saturation_t(atoi(argv[1])));
  std::vector<unsigned char> results(size_t(n) * 4);
  (void)hipMemcpy(results.data(), out, results.size(), hipMemcpyDeviceToHost);
  fwrite(results.data(), 1, results.size(), stdout);
}
