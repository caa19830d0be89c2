// porter's own rccl.h.
#pragma once
#include <rccl/rccl.h>
