// expect: builds
#include <cuda_runtime.h>
void f(void* p, cudaStream_t s) {
  cudaMemLocation there;
  there.type = cudaMemLocationTypeHost;
  cudaMemPrefetchAsync(p, 64, there, 0);
  cudaMemPrefetchAsync(p, 64, there, 0, s);
  cudaMemPrefetchAsync(p, 64, 0, s);
}
