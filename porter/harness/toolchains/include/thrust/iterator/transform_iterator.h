// porter's own thrust/iterator/transform_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
