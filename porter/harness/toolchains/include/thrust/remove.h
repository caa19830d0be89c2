// porter's own thrust/remove.h.
#pragma once
#include <thrust/porter_thrust.h>
