#include "block.h"

#include "check_hooks.h"
#include "device.h"
#include "errors.h"
#include "grid.h"
#include "sanitizer.h"
#include "status.h"

PORTER_TLS uint3 threadIdx;
PORTER_TLS uint3 blockIdx;
PORTER_TLS dim3 blockDim;
PORTER_TLS dim3 gridDim;
const int warpSize = PORTER_SIM_LANES;

namespace porter_sim {

PORTER_TLS Cursor cursor;
PORTER_TLS Worker *worker;
PORTER_TLS unsigned long long block_serial;
PORTER_TLS void *dynamic_shared;
PORTER_TLS unsigned dynamic_shared_bytes;

namespace {

constexpr unsigned nobody = ~0u;

void fiber_entry();

unsigned long long next_random(Worker &me) {
  me.random ^= me.random << 13;
  me.random ^= me.random >> 7;
  me.random ^= me.random << 17;
  return me.random;
}

Fiber *take_fiber(Worker &me) {
  if (me.free_fibers.empty()) {
    me.all_fibers.push_back(new_fiber(unsigned(me.all_fibers.size())));
    me.free_fibers.push_back(me.all_fibers.back());
  }
  Fiber *fiber = me.free_fibers.back();
  me.free_fibers.pop_back();
  prepare_fiber(*fiber, &fiber_entry);
  return fiber;
}

PORTER_INLINE unsigned pick_bit(lane_mask set, const Block &block) {
  if (block.order) {
    unsigned turn = unsigned(next_random(*worker) % 64);
    lane_mask rotated = turn ? (set >> turn) | (set << (64 - turn)) : set;
    return (unsigned(__builtin_ctzll(rotated)) + turn) % 64;
  }
  return unsigned(__builtin_ctzll(set));
}

PORTER_INLINE unsigned take_ready(Block &block) {
  unsigned index = pick_bit(block.ready_warps, block);
  Warp &warp = block.warps[index];
  unsigned lane = pick_bit(warp.ready, block);
  warp.ready &= ~(lane_mask(1) << lane);
  if (!warp.ready) block.ready_warps &= ~(lane_mask(1) << index);
  return index * lanes + lane;
}

void set_running(unsigned thread, uint3 coordinates) {
  cursor.index = thread;
  threadIdx = coordinates;
}

void start_thread(Block &block) {
  if (block.order) {
    unsigned thread = block.order[block.started++];
    set_running(thread, thread_coordinates(thread));
    return;
  }
  uint3 &next = block.next_coordinates;
  set_running(block.started++, next);
  if (++next.x < blockDim.x) return;
  next.x = 0;
  if (++next.y < blockDim.y) return;
  next.y = 0;
  ++next.z;
}

void release_block_barrier(Block &block) {
  check_block_synchronised(block);
  unsigned live = block.threads - block.ended;
  block.barrier_result = block.vote == Vote::all   ? block.votes == live
                         : block.vote == Vote::any ? block.votes != 0
                                                   : int(block.votes);
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    if (!warp.at_block) continue;
    lane_mask group = warp.at_block;
    warp.at_block = 0;
    make_ready(block, warp, group);
  }
  block.waiting_block = 0;
  block.votes = 0;
}

bool try_release_barrier(Block &block) {
  if (block.waiting_block == 0 || block.started < block.threads) return false;
  if (block.waiting_block != block.threads - block.ended) return false;
  release_block_barrier(block);
  return true;
}

// As choose_next, when no suspended thread is ready.
unsigned choose_rarely(Block &block) {
  while (true) {
    if (block.ready_warps) return take_ready(block);
    if (block.started < block.threads) {
      start_thread(block);
      return cursor.index;
    }
    if (try_release_barrier(block)) continue;
    if (complete_stalled(block)) continue;
    unsigned live = block.threads - block.ended;
    if (live == 0 || block.waiting_grid == live) return nobody;
    report_deadlock(block);
  }
}

// The thread that goes on next, or `nobody`: then the block has ended or waits for the grid.
PORTER_INLINE unsigned choose_next(Block &block) {
  return block.ready_warps ? take_ready(block) : choose_rarely(block);
}

bool is_fresh(const Block &block, unsigned thread) { return block.fibers[thread] == nullptr; }

void go_home(Block &block, bool coming_back) {
  Worker &me = *worker;
  me.yield = block.threads == block.ended ? Yield::finished : Yield::at_grid_barrier;
  Fiber *self = me.current;
  if (coming_back) {
    switch_fiber(*self, me.home);
  } else {
    leave_fiber(*self, me.home);
  }
}

// Threads mostly go on in order: what the next ones need is on its way while this one runs.
PORTER_INLINE void prefetch_after(const Block &block, unsigned thread) {
  if (thread + 2 >= block.threads) return;
  if (Fiber *next = block.fibers[thread + 1]) __builtin_prefetch(next->stack_pointer);
  if (Fiber *later = block.fibers[thread + 2]) __builtin_prefetch(later);
}

PORTER_INLINE Fiber *fiber_of(Block &block, unsigned thread) {
  Fiber *fiber = block.fibers[thread];
  if (fiber) {
    block.fibers[thread] = nullptr;
    prefetch_after(block, thread);
    threadIdx = fiber->coordinates;
    cursor.index = thread;
    return fiber;
  }
  return take_fiber(*worker);
}

void fiber_entry() {
  entered_fiber(worker->home);
  Block &block = *worker->block;
  block.entry(block.context);
  // No thread is left to start here: the stack goes back, and whoever is ready goes on.
  Worker &me = *worker;
  Fiber *self = me.current;
  if (!block.slow) {
    block.started = block.ended = block.threads;
    me.free_fibers.push_back(self);
    go_home(block, false);
  }
  unsigned next = block.running;
  me.free_fibers.push_back(self);
  if (next == nobody) go_home(block, false);
  Fiber *to = fiber_of(block, next);
  me.current = to;
  leave_fiber(*self, *to);
}

// A thread that ends may be the one that a group or the barrier was waiting for.
void end_thread(Block &block, unsigned thread) {
  Warp &warp = block.warps[warp_of(thread)];
  warp.ended |= lane_bit(thread);
  ++block.ended;
  if (warp.grouped) try_complete(block, warp);
}

}  // namespace

// From now on threads are accounted for one by one; those before the running one have all ended.
void enter_slow(Block &block) {
  block.slow = cursor.slow = 1;
  block.started = cursor.index + 1;
  block.next_coordinates = thread_coordinates(block.started);
  block.ended = cursor.index;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    unsigned first = w * lanes;
    unsigned before = cursor.index > first ? cursor.index - first : 0;
    block.warps[w].ended = before >= lanes ? block.warps[w].present : (lane_mask(1) << before) - 1;
  }
}

uint3 thread_coordinates(unsigned index) {
  unsigned row = index / blockDim.x;
  return {index % blockDim.x, row % blockDim.y, row / blockDim.y};
}

Worker *make_worker() {
  auto *me = new Worker{};
  me->random = 0x9e3779b97f4a7c15ull;
  return me;
}

Block *make_block() {
  auto *block = new Block{};
  block->arena = map_arena(arena_bytes);
  return block;
}

void delete_block(Block *block) {
  unmap_arena(block->arena);
  delete block;
}

void begin_block(Block &block, uint3 index, const LaunchRequest &request, const unsigned *order) {
  static PORTER_TLS unsigned long long serials;
  block.index = index;
  block.serial = ++serials;
  block.threads = blockDim.x * blockDim.y * blockDim.z;
  block.started = block.ended = block.waiting_block = block.waiting_grid = 0;
  block.slow = order != nullptr;
  block.ready_warps = 0;
  block.votes = 0;
  block.divergence_reported = false;
  block.entry = request.threads;
  block.context = request.context;
  block.order = order;
  block.dynamic_bytes = request.configuration.shared_bytes;
  block.warp_count = (block.threads + lanes - 1) / lanes;
  block.running = nobody;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    unsigned there = block.threads - w * lanes;
    warp.present = there >= 64 || there >= unsigned(lanes) ? (~lane_mask(0) >> (64 - lanes)) : (lane_mask(1) << there) - 1;
    warp.calls = block.calls + w * lanes;
    warp.ended = warp.ready = warp.grouped = warp.at_block = warp.at_grid = 0;
  }
  lay_out_arena(block);
}

Yield run_block(Block &block) {
  Worker &me = *worker;
  me.block = &block;
  block_serial = block.serial;
  blockIdx = block.index;
  dynamic_shared = block.arena + arena_bytes - ((block.dynamic_bytes + 15) & ~size_t(15));
  cursor.count = block.threads;
  cursor.slow = block.slow;
  unsigned next;
  if (block.started == 0 && !block.slow) {
    next = 0;
    set_running(0, uint3{0, 0, 0});
  } else {
    next = choose_next(block);
  }
  me.current = fiber_of(block, next);
  me.inside_kernel = true;
  switch_fiber(me.home, *me.current);
  me.inside_kernel = false;
  return me.yield;
}

bool next_thread_slow() {
  Block &block = *worker->block;
  end_thread(block, cursor.index);
  unsigned next = choose_next(block);
  if (next != nobody && is_fresh(block, next)) return true;
  block.running = next;
  return false;
}

// Leaves the running thread, which waits for something, and goes on with another.
void suspend_current() {
  Worker &me = *worker;
  Block &block = *me.block;
  unsigned self = cursor.index;
  Fiber *mine = me.current;
  mine->coordinates = threadIdx;
  block.fibers[self] = mine;
  unsigned next = choose_next(block);
  if (next == self) {
    block.fibers[self] = nullptr;
    return;
  }
  if (next == nobody) {
    go_home(block, true);
  } else {
    Fiber *to = fiber_of(block, next);
    me.current = to;
    switch_fiber(*mine, *to);
  }
}

void make_ready(Block &block, Warp &warp, lane_mask group) {
  warp.ready |= group;
  block.ready_warps |= lane_mask(1) << (&warp - block.warps);
}

int block_barrier(Vote vote, int predicate, const char *file, int line) {
  if (!in_kernel()) return predicate;
  Block &block = *worker->block;
  if (!block.slow) enter_slow(block);
  unsigned self = cursor.index;
  if (block.waiting_block == 0) {
    block.first_wait = BarrierWait{file, line};
    block.vote = vote;
  } else if (__builtin_expect(block.first_wait.line != line || block.first_wait.file != file, 0)) {
    if (!block.divergence_reported) report_divergent_barrier(block.first_wait, BarrierWait{file, line});
    block.divergence_reported = true;
  }
  block.votes += predicate != 0;
  ++block.waiting_block;
  block.warps[warp_of(self)].at_block |= lane_bit(self);
  suspend_current();
  return block.barrier_result;
}

void grid_barrier(const char *file, int line) {
  Block &block = *worker->block;
  if (!block.slow) enter_slow(block);
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

void abort_block() {
  Worker &me = *worker;
#ifdef PORTER_ASAN
  for (Fiber *fiber : me.all_fibers) allow(fiber->stack_bottom, size_t(fiber->stack_top - fiber->stack_bottom));
#endif
  me.free_fibers = me.all_fibers;
  me.inside_kernel = false;
  for (unsigned t = 0; t < max_block_threads; ++t) me.block->fibers[t] = nullptr;
  siglongjmp(me.abort_point, 1);
}

void over_launch_bounds(unsigned bound) {
#ifdef PORTER_SIM_HIP
  constexpr int status = status_launch_failure;
#else
  constexpr int status = status_out_of_resources;
#endif
  fail_launch("SIM013", status, running_launch_place(), "%u threads in a block; the kernel's launch bounds allow %u",
              worker->block->threads, bound);
}

bool in_kernel() { return worker != nullptr && worker->inside_kernel; }

}  // namespace porter_sim
