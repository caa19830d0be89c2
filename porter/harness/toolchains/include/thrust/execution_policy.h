// porter's own thrust/execution_policy.h.
#pragma once
#include <thrust/porter_thrust.h>
