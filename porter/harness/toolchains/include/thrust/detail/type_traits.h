// porter's own thrust/detail/type_traits.h.
#pragma once
#include <thrust/porter_thrust.h>
