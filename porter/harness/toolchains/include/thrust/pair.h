// porter's own thrust/pair.h.
#pragma once
#include <thrust/porter_thrust.h>
