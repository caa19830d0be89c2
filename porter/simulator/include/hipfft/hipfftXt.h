// hipFFT's second header, which programs include for the plain plans too; plans by data type, callbacks and several
// GPUs are not simulated, and not declared.
#pragma once
#pragma GCC system_header

#include "hipfft/hipfft.h"
