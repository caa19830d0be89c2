// porter's own thrust/binary_search.h.
#pragma once
#include <thrust/porter_thrust.h>
