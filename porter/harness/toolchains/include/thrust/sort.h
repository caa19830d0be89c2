// porter's own thrust/sort.h.
#pragma once
#include <thrust/porter_thrust.h>
