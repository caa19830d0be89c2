// porter's own thrust/merge.h.
#pragma once
#include <thrust/porter_thrust.h>
