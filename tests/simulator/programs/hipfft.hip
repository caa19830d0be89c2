// hipFFT: a transform of four complex numbers and its unnormalised inverse.
#include <cstdio>

#include <hip/hip_runtime.h>
#include <hipfft/hipfft.h>
#include <hipfft/hipfftXt.h>

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
  return hipfftDestroy(plan);
}
