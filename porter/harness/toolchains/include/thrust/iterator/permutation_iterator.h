// porter's own thrust/iterator/permutation_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
