// porter's own thrust/replace.h.
#pragma once
#include <thrust/porter_thrust.h>
