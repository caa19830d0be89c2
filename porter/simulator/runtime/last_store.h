// Which thread wrote a stretch of device memory last: the history of an element that came out wrong.
#pragma once

#include <string>

#include "memory.h"
#include "porter_sim/launch.h"

namespace porter_sim {

// Bytes of an allocation that a replay names; `bytes` is zero where nothing is watched.
struct Watched {
  std::string tensor;
  size_t offset = 0;
  size_t bytes = 0;
};

// `tensor:offset:bytes`
Watched parse_watched(const std::string &text);

// Runs the grid on this thread and writes a `written` event of `case_name`. A store counts that begins in the stretch or
// changes it. Returns the launch's status.
int run_watched(const LaunchRequest &request, unsigned long long seed, const Watched &watched, const Allocation &a,
                const std::string &case_name);

// Whether it can be done on this machine, and for this allocation: the pages of symbols hold other things too.
bool can_watch(const Watched &watched, const Allocation &a);

}  // namespace porter_sim
