// porter's own thrust/transform_reduce.h.
#pragma once
#include <thrust/porter_thrust.h>
