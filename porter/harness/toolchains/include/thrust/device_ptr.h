// porter's own thrust/device_ptr.h.
#pragma once
#include <thrust/porter_thrust.h>
