// expect: refused, LIB001 3, LIB010 4
#include <cuda_runtime.h>
#include <cuda/std/optional>
__global__ void k(int* x) { cuda::std::optional<int> o(1); *x = *o; }
