// porter's own thrust/unique.h.
#pragma once
#include <thrust/porter_thrust.h>
