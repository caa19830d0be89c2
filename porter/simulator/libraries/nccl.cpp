// NCCL and RCCL between the ranks of one process.
#include "nccl.h"

#include "grid.h"
#include "library_call.h"
#include "porter_sim/api_core.h"

#include "nccl/reduce.h"
#include "nccl/clique.h"
#include "nccl/interface.h"
