// porter's own thrust/logical.h.
#pragma once
#include <thrust/porter_thrust.h>
