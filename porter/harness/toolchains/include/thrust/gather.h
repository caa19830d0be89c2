// porter's own thrust/gather.h.
#pragma once
#include <thrust/porter_thrust.h>
