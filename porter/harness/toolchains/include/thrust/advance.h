// porter's own thrust/advance.h.
#pragma once
#include <thrust/porter_thrust.h>
