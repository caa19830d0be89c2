// Watching the program: what docs/capture-format.md calls launches, transfers and replays.
#pragma once

#include <string>

#include "porter_sim/launch.h"

namespace porter_sim {

// Runs a validated launch, with its replays before it and its record around it where these are asked for.
int observe_launch(const LaunchRequest &request);
void observe_transfer(const void *from, size_t bytes);
// `ns::reduce<float, 256>` as written at a launch → `reduce`.
std::string plain_kernel_name(const char *written);
size_t dynamic_shared_limit(const LaunchRequest &request);

}  // namespace porter_sim
