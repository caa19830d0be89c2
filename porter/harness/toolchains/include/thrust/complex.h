// porter's own thrust/complex.h.
#pragma once
#include <thrust/porter_thrust.h>
