// porter's own thrust/device_free.h.
#pragma once
#include <thrust/porter_thrust.h>
