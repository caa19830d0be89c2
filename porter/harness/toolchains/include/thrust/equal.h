// porter's own thrust/equal.h.
#pragma once
#include <thrust/porter_thrust.h>
