// porter's own thrust/reverse.h.
#pragma once
#include <thrust/porter_thrust.h>
