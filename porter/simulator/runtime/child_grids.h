// Launches, and asynchronous copies, from device code. They are done in their order when the block that issued them has
// ended or waits for others: on a GPU they begin that much later too, and programs rely on it for what the other lanes
// of the warp have yet to write. A schedule seed makes them begin at once, which is as right. A grid in the tail-launch
// stream runs when the grid that launched it has ended.
#pragma once

#include "block.h"
#include "porter_sim/launch.h"

namespace porter_sim {

int launch_child(const LaunchRequest &request);
// Does what the block's threads have issued; on the worker's own stack.
void run_issued(Block &block);
void run_tail_launches();
bool doing_issued_work();
// The same in a kernel that waits for its child grids.
void wait_for_issued();
// Whether the calling thread is in run_tail_launches.
bool running_tail_launches();

}  // namespace porter_sim
