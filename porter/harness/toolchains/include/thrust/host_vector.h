// porter's own thrust/host_vector.h.
#pragma once
#include <thrust/porter_thrust.h>
