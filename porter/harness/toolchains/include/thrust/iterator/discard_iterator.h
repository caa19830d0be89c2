// porter's own thrust/iterator/discard_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
