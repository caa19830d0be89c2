// porter's own thrust/device_malloc.h.
#pragma once
#include <thrust/porter_thrust.h>
