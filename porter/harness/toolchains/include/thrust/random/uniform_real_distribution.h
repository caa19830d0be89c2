// porter's own thrust/random/uniform_real_distribution.h.
#pragma once
#include <thrust/porter_thrust.h>
