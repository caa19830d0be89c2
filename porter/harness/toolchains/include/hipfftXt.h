// porter's own hipfftXt.h.
#pragma once
#include <hipfft/hipfftXt.h>
