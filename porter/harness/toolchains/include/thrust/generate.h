// porter's own thrust/generate.h.
#pragma once
#include <thrust/porter_thrust.h>
