// RCCL has the names of NCCL.
#pragma once

#include "nccl.h"
