// cuRAND and hipRAND: what of them is no header, on the CPU.
#include "library_call.h"
#include "porter_sim/random/distributions.h"
#include "porter_sim/random/host.h"

#include "random/generator.h"
#include "random/jump.h"
#include "random/sobol.h"
#include "random/host.h"
