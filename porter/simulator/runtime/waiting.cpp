// Threads that stepped aside, and barriers over a part of a block.
#include "porter_sim/atomics.h"
#include "block.h"
#include "check_hooks.h"
#include "errors.h"
#include "status.h"

namespace porter_sim {

PORTER_TLS Persistence persistence;

void let_others_run() {
  persistence.count = 0;
  pause(Until::world, false, nullptr, 0);
  note_order();
}

namespace {

constexpr unsigned named = 1u << 31;

Arrivals &arrivals(Block &block, unsigned key) {
  for (Arrivals &each : block.arrivals) {
    if (each.key == key) return each;
  }
  block.arrivals.push_back({key, 0, 0});
  return block.arrivals.back();
}

unsigned living(const Block &block, unsigned first, unsigned count) {
  unsigned live = 0;
  for (unsigned w = warp_of(first); w <= warp_of(first + count - 1) && w < block.warp_count; ++w) {
    const Warp &warp = block.warps[w];
    unsigned low = std::max(first, w * lanes) - w * lanes, high = std::min(first + count - w * lanes, unsigned(lanes));
    lane_mask part = (~lane_mask(0) >> (64 - (high - low))) << low;
    live += unsigned(__builtin_popcountll(warp.present & ~warp.ended & part));
  }
  return live;
}

// Whether all have arrived; the one that sees it first opens the next phase.
template <class Wanted>
bool passed(Block &block, unsigned key, unsigned phase, Wanted wanted) {
  Arrivals &here = arrivals(block, key);
  if (here.phase != phase) return true;
  if (here.arrived < wanted()) return false;
  here.arrived = 0;
  ++here.phase;
  return true;
}

template <class Wanted>
void arrive(unsigned key, bool waits, Wanted wanted, const char *file, int line) {
  Block &block = *running_block;
  if (block.phase != Phase::lane_sets) keep_lane_sets(block);
  Arrivals &here = arrivals(block, key);
  unsigned phase = here.phase;
  ++here.arrived;
  auto done = [&] { return passed(block, key, phase, wanted); };
  waits ? wait_until(Until::block, done, file, line) : void(done());
}

}  // namespace

void pause(Until until, bool again, const char *file, int line) {
  if (!in_kernel()) return;
  Block &block = *running_block;
  if (block.phase != Phase::lane_sets) keep_lane_sets(block);
  block.paused[warp_of(cursor.index)] |= lane_bit(cursor.index);
  block.last_pause = {file, line};
  ++block.paused_threads;
  if (until == Until::world) ++block.paused_for_world;
  if (again) ++block.vain_looks;
  suspend_current();
}

void note_order() {
  if (running_block) check_block_synchronised(*running_block);
}

bool release_paused(Block &block) {
  if (!block.paused_threads) return false;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    if (!block.paused[w]) continue;
    make_ready(block, block.warps[w], block.paused[w]);
    block.paused[w] = 0;
  }
  block.paused_threads = block.paused_for_world = 0;
  block.events_seen = block.events;
  block.vain_seen = block.vain_looks;
  return true;
}

bool has_moved(const Block &block) { return block.events - block.events_seen != block.vain_looks - block.vain_seen; }

void partial_barrier(unsigned first, unsigned count, const char *file, int line) {
  Block &block = *running_block;
  arrive(first << 12 | count, true, [&block, first, count] { return living(block, first, count); }, file, line);
}

void named_barrier(unsigned id, unsigned count, bool waits, const char *file, int line) {
  Block &block = *running_block;
  if (count % 32) device_trap("SIM008", "a named barrier's thread count is no multiple of 32", file, line);
  if (id > 15) device_trap("SIM008", "a block has 16 named barriers, 0 to 15", file, line);
  arrive(named | id, waits, [&block, count] { return count ? count : block.threads - block.ended; }, file, line);
}

const void *&shown(unsigned thread) { return running_block->shown[thread]; }

bool grid_barrier_works() { return in_kernel() && worker->block->cooperative; }

void grid_barrier(const char *file, int line) {
  Block &block = *running_block;
  if (!block.cooperative) device_trap("SIM041", "a grid barrier in a launch that is not cooperative", file, line);
  if (block.phase != Phase::lane_sets) keep_lane_sets(block);
  unsigned self = cursor.index;
  if (block.waiting_grid == 0 && block.waiting_block == 0) block.first_wait = BarrierWait{file, line};
  ++block.waiting_grid;
  block.warps[warp_of(self)].at_grid |= lane_bit(self);
  suspend_current();
}

void release_grid_barrier(Block &block) {
  check_block_synchronised(block);
  block.waiting_grid = 0;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    if (!warp.at_grid) continue;
    lane_mask group = warp.at_grid;
    warp.at_grid = 0;
    make_ready(block, warp, group);
  }
}

void report_vain_wait(Block &block) {
  fail_launch("SIM002", status_launch_failure, {block.last_pause.file, block.last_pause.line},
              "deadlock: %u of %u live threads wait for others of their group, which never arrive",
              block.paused_threads, block.threads - block.ended);
}

}  // namespace porter_sim
