// porter's own thrust/tabulate.h.
#pragma once
#include <thrust/porter_thrust.h>
