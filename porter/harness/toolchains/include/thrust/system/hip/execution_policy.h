// porter's own thrust/system/hip/execution_policy.h.
#pragma once
#include <thrust/porter_thrust.h>
