// porter's own thrust/scatter.h.
#pragma once
#include <thrust/porter_thrust.h>
