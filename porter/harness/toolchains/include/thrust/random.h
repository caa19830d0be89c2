// porter's own thrust/random.h.
#pragma once
#include <thrust/porter_thrust.h>
