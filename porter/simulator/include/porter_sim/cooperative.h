// Cooperative groups.
#pragma once

#include "porter_sim/group_algorithms.h"
#include "porter_sim/group_copy.h"
#include "porter_sim/group_grid.h"
#include "porter_sim/group_partition.h"
