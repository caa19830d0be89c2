// expect: refused, LIB001 2, LIB003 3
#include <nvml.h>
void f() { nvmlInit(); }
