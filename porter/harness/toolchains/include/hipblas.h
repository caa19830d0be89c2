// porter's own hipblas.h.
#pragma once
#include <hipblas/hipblas.h>
