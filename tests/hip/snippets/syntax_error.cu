// expect: refused, API090 3
#include <cuda_runtime.h>
void broken( { cudaFree(0); }
void fine() { cudaDeviceSynchronize(); }
