// porter's own thrust/random/linear_congruential_engine.h.
#pragma once
#include <thrust/porter_thrust.h>
