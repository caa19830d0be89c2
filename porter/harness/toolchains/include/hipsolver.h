// porter's own hipsolver.h.
#pragma once
#include <hipsolver/hipsolver.h>
