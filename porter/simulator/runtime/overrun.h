// Writes right beside an allocation, which no page protects: seen by its canaries after the launch.
#pragma once

#include "porter_sim/launch.h"

namespace porter_sim {

// Reports what `request` overwrote. To find the thread and the line the launch runs again in a child, one instruction at
// a time where it touches the allocation's border; it starts from the memory that it left, so it may go another way.
void report_overruns(const LaunchRequest &request);

}  // namespace porter_sim
