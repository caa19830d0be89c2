// porter's own thrust/set_operations.h.
#pragma once
#include <thrust/porter_thrust.h>
