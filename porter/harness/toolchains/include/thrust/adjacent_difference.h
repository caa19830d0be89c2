// porter's own thrust/adjacent_difference.h.
#pragma once
#include <thrust/porter_thrust.h>
