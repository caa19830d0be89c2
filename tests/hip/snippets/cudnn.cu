// expect: refused, LIB001 2, LIB003 3
#include <cudnn.h>
void f(cudnnHandle_t* h) { cudnnCreate(h); }
