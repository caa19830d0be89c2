// porter's own thrust/partition.h.
#pragma once
#include <thrust/porter_thrust.h>
