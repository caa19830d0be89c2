// expect: builds
#include <cuda_runtime.h>
#ifdef PINNED
void f(void** p) { cudaMallocHost(p, 16); }
#else
void f(void** p) { cudaMallocManaged(p, 16); }
#endif
