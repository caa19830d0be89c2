// expect: builds, API012 4
#include <cuda_runtime.h>
__global__ void k(long long* x) {
  __nanosleep(100); x[0] = clock64();
  if (x[1]) __trap();
}
