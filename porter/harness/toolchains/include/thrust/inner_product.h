// porter's own thrust/inner_product.h.
#pragma once
#include <thrust/porter_thrust.h>
