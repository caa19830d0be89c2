// porter's own thrust/transform_scan.h.
#pragma once
#include <thrust/porter_thrust.h>
