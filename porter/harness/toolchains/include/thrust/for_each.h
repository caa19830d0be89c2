// porter's own thrust/for_each.h.
#pragma once
#include <thrust/porter_thrust.h>
