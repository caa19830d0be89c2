// porter's own thrust/universal_vector.h.
#pragma once
#include <thrust/porter_thrust.h>
