// In which order the threads and blocks of a launch start. A seed stands for one order; 0 is the natural one.
#pragma once

#include <vector>

#include "porter_sim/launch.h"

namespace porter_sim {

struct ThreadOrder {
  std::vector<unsigned> threads;  // empty for the natural one
  const unsigned *data() const { return threads.empty() ? nullptr : threads.data(); }
};

// Warps in any order, each with its lanes in any order.
ThreadOrder thread_order(const LaunchRequest &request, unsigned long long seed);
// The block that comes at `position` of `blocks`.
unsigned long long permuted_block(unsigned long long blocks, unsigned long long seed, unsigned long long position);

}  // namespace porter_sim
