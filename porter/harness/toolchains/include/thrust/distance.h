// porter's own thrust/distance.h.
#pragma once
#include <thrust/porter_thrust.h>
