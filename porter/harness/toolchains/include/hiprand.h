// porter's own hiprand.h.
#pragma once
#include <hiprand/hiprand.h>
