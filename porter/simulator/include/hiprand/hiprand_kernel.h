// hipRAND's device interface, over the simulator. The sequences are cuRAND's, not rocRAND's.
#pragma once
#pragma GCC system_header

#include "hiprand/hiprand.h"

#define PORTER_RAND(name) hiprand##name
#define PORTER_RAND_DRAW hiprand
#define PORTER_RAND_DRAW4 hiprand4
#define PORTER_RAND_STATE(name) hiprandState##name
#define PORTER_RAND_DISTRIBUTION hiprandDiscreteDistribution_t

#include "porter_sim/random/device_face.h"

#undef PORTER_RAND
#undef PORTER_RAND_DRAW
#undef PORTER_RAND_DRAW4
#undef PORTER_RAND_STATE
#undef PORTER_RAND_DISTRIBUTION

using hiprandState = hiprandStateXORWOW;
using hiprandState_t = hiprandStateXORWOW;
