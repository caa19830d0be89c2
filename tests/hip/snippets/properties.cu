// expect: refused, API010 5, API011 5
#include <cuda_runtime.h>
int f() {
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
  return p.major < 7 ? -1 : p.gpuPciDeviceID;
}
