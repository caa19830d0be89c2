// porter's own thrust/iterator/zip_iterator.h.
#pragma once
#include <thrust/porter_thrust.h>
