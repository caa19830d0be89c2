// porter's own thrust/find.h.
#pragma once
#include <thrust/porter_thrust.h>
