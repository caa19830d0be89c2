// porter's own thrust/random/uniform_int_distribution.h.
#pragma once
#include <thrust/porter_thrust.h>
