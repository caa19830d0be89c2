// expect: refused, API003 3
#include <cuda_runtime.h>
#define API(fn) cuda##fn
