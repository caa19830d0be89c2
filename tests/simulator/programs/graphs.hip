#include <hip/hip_runtime.h>
#define API(name) hip##name
#include "graphs.h"
