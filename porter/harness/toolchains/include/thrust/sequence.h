// porter's own thrust/sequence.h.
#pragma once
#include <thrust/porter_thrust.h>
