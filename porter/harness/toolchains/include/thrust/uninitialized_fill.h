// porter's own thrust/uninitialized_fill.h.
#pragma once
#include <thrust/porter_thrust.h>
