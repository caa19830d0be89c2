// Replays: the cases of PORTER_REPLAY for a launch, each in a forked child.
#pragma once

#include "porter_sim/launch.h"

namespace porter_sim {

bool replay_planned();
void run_replays(const LaunchRequest &request, int launch);

}  // namespace porter_sim
