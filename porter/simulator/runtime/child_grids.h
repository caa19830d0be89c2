// Launches from device code. A child grid runs to its end at its launch; one in the tail-launch stream runs when the
// grid that launched it has ended.
#pragma once

#include "porter_sim/launch.h"

namespace porter_sim {

int launch_child(const LaunchRequest &request);
void run_tail_launches();
// Whether the calling thread is in run_tail_launches.
bool running_tail_launches();

}  // namespace porter_sim
