// porter's own thrust/copy.h.
#pragma once
#include <thrust/porter_thrust.h>
