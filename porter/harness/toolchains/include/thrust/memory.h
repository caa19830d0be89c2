// porter's own thrust/memory.h.
#pragma once
#include <thrust/porter_thrust.h>
