#define API(name) cuda##name
#include "graphs.h"
