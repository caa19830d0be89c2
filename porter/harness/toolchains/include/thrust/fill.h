// porter's own thrust/fill.h.
#pragma once
#include <thrust/porter_thrust.h>
