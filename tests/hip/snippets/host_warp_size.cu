// expect: builds, WAV002 5
#include <cuda_runtime.h>
#include <cstdio>
int shared_bytes(int device, int threads) {
  cudaDeviceProp p; cudaGetDeviceProperties(&p, device); return threads / p.warpSize * 4;
}
