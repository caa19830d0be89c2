// porter's own thrust/transform.h.
#pragma once
#include <thrust/porter_thrust.h>
