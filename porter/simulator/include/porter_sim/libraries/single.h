// What `float` and `float2` are in the user's program: in the double-precision reference they are compiled as
// `double` and `double2`, so every library's face takes these in their place.
#pragma once

#include "porter_sim/vector_types.h"

namespace porter_sim {

#ifdef PORTER_SIM_WIDE
using single = double;
using single2 = double2;
using single4 = double4;
#else
using single = float;
using single2 = float2;
using single4 = float4;
#endif

}  // namespace porter_sim
