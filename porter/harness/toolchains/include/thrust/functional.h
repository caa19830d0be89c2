// porter's own thrust/functional.h.
#pragma once
#include <thrust/porter_thrust.h>
