// hipFFT: a transform of four complex numbers and its unnormalised inverse, then both by a plan by data type.
#include <cstdio>

#include <hip/hip_runtime.h>
#include <hipfft/hipfft.h>
#include <hipfft/hipfftXt.h>
#include <roctracer/roctx.h>

int main() {
  hipfftComplex values[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, *device;
  hipMalloc(&device, sizeof values);
  hipMemcpy(device, values, sizeof values, hipMemcpyHostToDevice);
  hipfftHandle plan;
  if (hipfftPlan1d(&plan, 4, HIPFFT_C2C, 1) != HIPFFT_SUCCESS) return 1;
  for (int direction : {HIPFFT_FORWARD, HIPFFT_BACKWARD}) {
    if (hipfftExecC2C(plan, device, device, direction) != HIPFFT_SUCCESS) return 2;
    hipMemcpy(values, device, sizeof values, hipMemcpyDeviceToHost);
    for (auto v : values) printf("%g %g ", v.x, v.y);
  }
  if (roctxRangePush("by type") != 0) return 3;
  hipfftHandle by_type;
  long long n = 4;
  size_t bytes = 0;
  hipfftCreate(&by_type);
  if (hipfftXtMakePlanMany(by_type, 1, &n, nullptr, 1, 1, HIP_C_32F, nullptr, 1, 1, HIP_C_32F, 1, &bytes, HIP_C_32F)) return 4;
  if (hipfftXtMakePlanMany(by_type, 1, &n, nullptr, 1, 1, HIP_C_32F, nullptr, 1, 1, HIP_C_32F, 1, &bytes, HIP_C_64F) !=
      HIPFFT_NOT_SUPPORTED) return 5;
  for (int direction : {HIPFFT_FORWARD, HIPFFT_BACKWARD}) {
    if (hipfftXtExec(by_type, device, device, direction) != HIPFFT_SUCCESS) return 6;
    hipMemcpy(values, device, sizeof values, hipMemcpyDeviceToHost);
    for (auto v : values) printf("%g %g ", v.x, v.y);
  }
  if (roctxRangePop() != 0 || roctxRangePop() != -1) return 7;
  hipfftDestroy(by_type);
  return hipfftDestroy(plan);
}
