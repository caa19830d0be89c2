// porter's own thrust/random/normal_distribution.h.
#pragma once
#include <thrust/porter_thrust.h>
