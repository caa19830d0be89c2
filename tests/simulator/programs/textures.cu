#define API(name) cuda##name
#include "textures.h"
