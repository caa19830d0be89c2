// The part of cuFFT that is in cufft.h: callbacks and several GPUs are not simulated.
#pragma once

#include "cufft.h"
