#include "launch_order.h"

#include <algorithm>
#include <numeric>

namespace porter_sim {

namespace {

std::vector<unsigned> permuted_threads(unsigned threads, unsigned long long seed) {
  unsigned warps = (threads + lanes - 1) / lanes;
  unsigned long long state = seed * 0x9e3779b97f4a7c15ull + 1;
  auto random = [&state](unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return unsigned((state >> 33) % below);
  };
  std::vector<unsigned> warp_order(warps), order;
  std::iota(warp_order.begin(), warp_order.end(), 0u);
  for (unsigned i = warps; i > 1; --i) std::swap(warp_order[i - 1], warp_order[random(i)]);
  for (unsigned w : warp_order) {
    unsigned first = w * lanes, count = std::min(threads - first, unsigned(lanes));
    std::vector<unsigned> lane_order(count);
    std::iota(lane_order.begin(), lane_order.end(), first);
    for (unsigned i = count; i > 1; --i) std::swap(lane_order[i - 1], lane_order[random(i)]);
    order.insert(order.end(), lane_order.begin(), lane_order.end());
  }
  return order;
}

}  // namespace

ThreadOrder thread_order(const LaunchRequest &request, unsigned long long seed) {
  const dim3 &b = request.configuration.block;
  return {seed ? permuted_threads(b.x * b.y * b.z, seed) : std::vector<unsigned>{}};
}

// A full-period walk over the blocks that looks like a shuffle and needs no table.
unsigned long long permuted_block(unsigned long long blocks, unsigned long long seed, unsigned long long position) {
  if (!seed) return position;
  unsigned long long step = (seed * 2654435761ull) % blocks | 1;
  while (std::gcd(step, blocks) != 1) step += 2;
  return (position % blocks * step + seed) % blocks;
}

}  // namespace porter_sim
