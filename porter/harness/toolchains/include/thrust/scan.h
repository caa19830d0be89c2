// porter's own thrust/scan.h.
#pragma once
#include <thrust/porter_thrust.h>
