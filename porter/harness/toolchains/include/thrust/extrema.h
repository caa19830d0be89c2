// porter's own thrust/extrema.h.
#pragma once
#include <thrust/porter_thrust.h>
