// porter's own hipblaslt.h.
#pragma once
#include <hipblaslt/hipblaslt.h>
