// porter's own thrust/swap.h.
#pragma once
#include <thrust/porter_thrust.h>
