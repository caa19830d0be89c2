// porter's own thrust/tuple.h.
#pragma once
#include <thrust/porter_thrust.h>
