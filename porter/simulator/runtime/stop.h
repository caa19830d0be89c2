// A program under observation ends before its own end where nothing more is to be learned from it.
#pragma once

#include "porter_sim/launch.h"

namespace porter_sim {

// Before launch number `launch` of a captured program: at PORTER_STOP_AT, or once it has used
// PORTER_STOP_REPEATING seconds of processor time and only repeats launches, the program ends with exit code 0
// and a `stopped` event.
void stop_where_asked(const LaunchRequest &request, int launch);
// Ends a program whose last replay is done; what it would do after that nobody sees.
[[noreturn]] void stop_after_replays();

}  // namespace porter_sim
