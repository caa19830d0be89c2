// porter's own thrust/device_vector.h.
#pragma once
#include <thrust/porter_thrust.h>
