// porter's own thrust/reduce.h.
#pragma once
#include <thrust/porter_thrust.h>
