// expect: builds
#include <cuda_runtime.h>
#define API(fn, ...) cuda##fn(__VA_ARGS__)
void f(void** p) { API(Malloc, p, 16); API(Free, *p); }
