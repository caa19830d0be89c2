// cuFFT and hipFFT: plans and transforms on the CPU.
#include "library_call.h"
#include "porter_sim/fft/core.h"

#include "fft/transform.h"
#include "fft/plan.h"
