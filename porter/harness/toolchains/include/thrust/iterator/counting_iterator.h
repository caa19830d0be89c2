// porter's own thrust/iterator/counting_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
