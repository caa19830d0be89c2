// porter's own thrust/count.h.
#pragma once
#include <thrust/porter_thrust.h>
