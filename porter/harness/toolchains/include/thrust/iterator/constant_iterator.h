// porter's own thrust/iterator/constant_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
