// cuRAND's device interface, over the simulator.
#pragma once
#pragma GCC system_header

#include "curand.h"

#define PORTER_RAND(name) curand##name
#define PORTER_RAND_DRAW curand
#define PORTER_RAND_DRAW4 curand4
#define PORTER_RAND_STATE(name) curandState##name
#define PORTER_RAND_DISTRIBUTION curandDiscreteDistribution_t

#include "porter_sim/random/device_face.h"

#undef PORTER_RAND
#undef PORTER_RAND_DRAW
#undef PORTER_RAND_DRAW4
#undef PORTER_RAND_STATE
#undef PORTER_RAND_DISTRIBUTION

using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStatePhilox = curandStatePhilox4_32_10;
