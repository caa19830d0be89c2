// Where the scheduler tells the checker that threads have waited for each other. Nothing in builds without checks.
#pragma once

#include "block.h"

namespace porter_sim {

#ifdef PORTER_SIM_CHECK
// Every live thread of the block arrived: what was accessed before is ordered before what comes.
void check_block_synchronised(Block &block);
// The lanes `group` of a warp completed a collective.
void check_warp_synchronised(Block &block, unsigned warp, lane_mask group);
#else
inline void check_block_synchronised(Block &) {}
inline void check_warp_synchronised(Block &, unsigned, lane_mask) {}
#endif

}  // namespace porter_sim
