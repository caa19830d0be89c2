#include "block.h"

#include "check_hooks.h"
#include "device.h"
#include "errors.h"
#include "grid.h"
#include "status.h"

PORTER_TLS uint3 threadIdx;
PORTER_TLS uint3 blockIdx;
PORTER_TLS dim3 blockDim;
PORTER_TLS dim3 gridDim;
const int warpSize = PORTER_SIM_LANES;

namespace porter_sim {

PORTER_TLS Cursor cursor;
PORTER_TLS Worker *worker;
PORTER_TLS Block *running_block;
PORTER_TLS Collective *lane_records;
PORTER_TLS unsigned long long block_serial;
PORTER_TLS void *dynamic_shared;
PORTER_TLS unsigned dynamic_shared_bytes;
PORTER_TLS int DeviceWork::depth;

namespace {

constexpr unsigned nobody = ~0u;
// Far more than a loop of atomics takes, far less than a user waits.
constexpr unsigned patience_turns = 1u << 16;

unsigned long long next_random(Worker &me) {
  me.random ^= me.random << 13;
  me.random ^= me.random >> 7;
  me.random ^= me.random << 17;
  return me.random;
}

__attribute__((noinline)) void add_fiber(Worker &me) {
  me.all_fibers.push_back(new_fiber(unsigned(me.all_fibers.size())));
  me.free_fibers.push_back(me.all_fibers.back());
}

PORTER_INLINE Fiber *take_fiber(Worker &me) {
  if (me.free_fibers.empty()) add_fiber(me);
  Fiber *fiber = me.free_fibers.back();
  me.free_fibers.pop_back();
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

PORTER_INLINE void set_running(const Block &block, unsigned thread) {
  cursor.index = thread;
  threadIdx = block.coordinates[thread];
}

PORTER_INLINE void start_thread(Block &block) {
  unsigned position = block.started++;
  set_running(block, block.order ? block.order[position] : position);
}

void settle_votes(Block &block) {
  ++block.events;
  check_block_synchronised(block);
  unsigned live = block.threads - block.ended;
  block.barrier_result = block.vote == Vote::all   ? block.votes == live
                         : block.vote == Vote::any ? block.votes != 0
                                                   : int(block.votes);
  block.waiting_block = 0;
  block.votes = 0;
}

// Every living thread goes on.
void release_block_barrier(Block &block) {
  settle_votes(block);
  if (!block.order) block.phase = Phase::sweep;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    lane_mask group = warp.at_block;
    warp.at_block = 0;
    if (block.order && group) make_ready(block, warp, group);
  }
}

PORTER_INLINE unsigned sweep_end(const Block &block) { return block.gathering.end ? block.gathering.end : block.threads; }

// The next thread of a sweep. After the last one of a group that gathers its lanes go on; after the last one of the
// block all that wait are released, and the sweep begins again.
PORTER_INLINE unsigned sweep_from(Block &block, unsigned thread) {
  while (true) {
    unsigned end = sweep_end(block);
    for (unsigned known = std::min(end, block.started); thread < known; ++thread) {
      if (block.fibers[thread]) return thread;
    }
    if (block.started < end) {
      start_thread(block);
      return cursor.index;
    }
    if (block.gathering.end) return complete_gathered(block);
    if (!block.waiting_block) return nobody;
    settle_votes(block);
    thread = 0;
  }
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
    if (block.phase == Phase::sweep) return sweep_from(block, 0);
    if (block.ready_warps) return take_ready(block);
    if (block.started < block.threads) {
      start_thread(block);
      return cursor.index;
    }
    if (try_release_barrier(block)) continue;
    if (!block.paused_for_world && has_moved(block) && release_paused(block)) continue;
    // A thread that stepped aside may still be on its way to the group that waits: it gets some turns first.
    if (block.paused_for_world && ++block.patience < patience_turns) return nobody;
    block.patience = 0;
    if (complete_stalled(block)) continue;
    unsigned live = block.threads - block.ended;
    if (live == 0 || block.waiting_grid == live || block.paused_for_world) return nobody;
    if (block.paused_threads) report_vain_wait(block);
    report_deadlock(block);
  }
}

// The thread that goes on next, or `nobody`: then the block has ended or waits for the grid.
PORTER_INLINE unsigned choose_next(Block &block) {
  if (block.phase == Phase::sweep) return sweep_from(block, cursor.index + 1);
  return block.ready_warps ? take_ready(block) : choose_rarely(block);
}

bool is_fresh(const Block &block, unsigned thread) { return block.fibers[thread] == nullptr; }

Yield yield_of(const Block &block) {
  return block.threads == block.ended ? Yield::finished
         : block.paused_threads       ? Yield::paused
                                      : Yield::at_grid_barrier;
}

// Threads mostly go on in order: what the next ones need is on its way while this one runs.
PORTER_INLINE void prefetch_after(const Block &block, unsigned thread) {
  if (thread + 2 >= block.threads) return;
  auto *stack = static_cast<const char *>(block.stacks[thread + 2]);
  __builtin_prefetch(stack);
  __builtin_prefetch(stack + 64);
  __builtin_prefetch(stack + 128);
}

void end_fiber();

// The stack pointer with which `thread` goes on, or starts; makes it the running one.
PORTER_INLINE void *go_to(Block &block, unsigned thread) {
  Worker &me = *worker;
  Fiber *fiber = block.fibers[thread];
  void *stack_pointer;
  if (fiber) {
    block.fibers[thread] = nullptr;
    stack_pointer = block.stacks[thread];
    if (block.phase == Phase::sweep) prefetch_after(block, thread);
    set_running(block, thread);
  } else {
    fiber = take_fiber(me);
    stack_pointer = prepare_fiber(*fiber, block.entry, block.context, &end_fiber);
  }
  me.current = fiber;
  return stack_pointer;
}

// The running fiber has no thread left: its stack goes back, and `next` goes on.
[[noreturn]] void leave_for(Block &block, unsigned next) {
  Worker &me = *worker;
  me.free_fibers.push_back(me.current);
  if (next == nobody) {
    me.yield = yield_of(block);
    leave_fiber(me.home_stack);
  }
  leave_fiber(go_to(block, next));
  __builtin_unreachable();
}

// After the last thread of a block in which none was suspended.
void end_fiber() {
  Block &block = *running_block;
  block.started = block.ended = block.threads;  // all went by in a plain loop
  leave_for(block, nobody);
}

// A thread that ends may be the one that a group or the barrier was waiting for.
void end_thread(Block &block, unsigned thread) {
  ++block.ended;
  if (block.phase == Phase::sweep) return;
  Warp &warp = block.warps[warp_of(thread)];
  warp.ended |= lane_bit(thread);
  ++block.events;
  if (warp.grouped) try_complete(block, warp);
}

void prepare_coordinates(Worker &me, unsigned threads) {
  if (me.coordinates_of.x == blockDim.x && me.coordinates_of.y == blockDim.y && me.coordinates.size() == threads) return;
  me.coordinates.resize(threads);
  for (unsigned t = 0; t < threads; ++t) me.coordinates[t] = thread_coordinates(t);
  me.coordinates_of = blockDim;
}

}  // namespace

void start_sweeping(Block &block) {
  cursor.row_end = 0;
  block.phase = Phase::sweep;
  block.started = cursor.index + 1;
  block.ended = cursor.index;
}

void keep_lane_sets(Block &block) {
  if (block.phase == Phase::loop) start_sweeping(block);
  block.phase = Phase::lane_sets;
  block.ready_warps = 0;
  const Gathering gathering = std::exchange(block.gathering, {});
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    warp.ended = warp.at_block = warp.ready = 0;
    unsigned first = w * lanes, last = std::min(first + lanes, block.started);
    for (unsigned t = first; t < last; ++t) {
      if (t == cursor.index) continue;
      const bool gathered = gathering.end && t >= gathering.first && t < cursor.index;
      lane_mask &set = !block.fibers[t]     ? warp.ended
                       : t > cursor.index ? warp.ready
                       : gathered           ? warp.grouped
                                            : warp.at_block;
      set |= lane_bit(t);
    }
    warp.same_call = true;
    if (warp.ready) block.ready_warps |= lane_mask(1) << w;
    if (warp.grouped) try_complete(block, warp);
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
  block->calls = static_cast<Collective *>(calloc(max_block_threads, sizeof(Collective)));
  if (!block->calls) fatal("no memory for a block");
  return block;
}

void delete_block(Block *block) {
  free(block->calls);
  unmap_arena(block->arena);
  delete block;
}

void begin_block(Block &block, uint3 index, const LaunchRequest &request, const unsigned *order) {
  static PORTER_TLS unsigned long long serials;
  block.index = index;
  block.serial = ++serials;
  block.threads = blockDim.x * blockDim.y * blockDim.z;
  block.started = block.ended = block.waiting_block = block.waiting_grid = 0;
  block.phase = order ? Phase::lane_sets : Phase::loop;
  block.gathering = {};
  block.ready_warps = 0;
  block.votes = 0;
  block.divergence_reported = false;
  block.entry = request.threads;
  block.context = request.context;
  block.order = order;
  block.dynamic_bytes = request.configuration.shared_bytes;
  block.warp_count = (block.threads + lanes - 1) / lanes;
  block.cooperative = request.cooperative;
  block.placed.clear();
  block.arrivals.clear();
  block.copies.clear();
  block.issued.clear();
  block.paused_threads = block.paused_for_world = block.patience = 0;
  block.events = block.events_seen = block.vain_looks = block.vain_seen = 0;
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp &warp = block.warps[w];
    unsigned there = block.threads - w * lanes;
    warp.present = there >= 64 || there >= unsigned(lanes) ? (~lane_mask(0) >> (64 - lanes)) : (lane_mask(1) << there) - 1;
    warp.calls = block.calls + w * lanes;
    block.paused[w] = 0;
    warp.ended = warp.ready = warp.grouped = warp.at_block = warp.at_grid = 0;
  }
  prepare_coordinates(*worker, block.threads);
  block.coordinates = worker->coordinates.data();
  lay_out_arena(block);
}

Yield run_block(Block &block) {
  Worker &me = *worker;
  me.block = &block;
  block_serial = block.serial;
  blockIdx = block.index;
  lane_records = block.calls;
  dynamic_shared = block.arena + arena_bytes - ((block.dynamic_bytes + 15) & ~size_t(15));
  cursor.count = block.threads;
  cursor.row_end = block.phase == Phase::loop ? blockDim.x : 0;
  unsigned next = 0;
  if (block.phase == Phase::loop) {
    set_running(block, 0);
  } else {
    release_paused(block);
    next = choose_next(block);
  }
  void *stack_pointer = go_to(block, next);
  running_block = &block;
  switch_fiber(&me.home_stack, stack_pointer);
  running_block = nullptr;
  return me.yield;
}

bool next_row() {
  if (cursor.row_end) {
    if (cursor.row_end == cursor.count) return false;
    set_running(*running_block, cursor.row_end);
    cursor.row_end += blockDim.x;
    return true;
  }
  Block &block = *running_block;
  end_thread(block, cursor.index);
  unsigned next = choose_next(block);
  if (next != nobody && is_fresh(block, next)) return true;
  leave_for(block, next);
}

PORTER_INLINE Switch leave_current(Block &block) {
  Worker &me = *worker;
  unsigned self = cursor.index;
  ++block.events;
  block.fibers[self] = me.current;
  unsigned next = choose_next(block);
  void **save = &block.stacks[self];
  if (next == nobody) {
    me.yield = yield_of(block);
    return {me.home_stack, save};
  }
  if (next == self) {
    block.fibers[self] = nullptr;
    set_running(block, self);
    return {nullptr, save};
  }
  return {go_to(block, next), save};
}

namespace {

__attribute__((noinline)) Switch leave_slowly(Block &block) { return leave_current(block); }

// As leave_current in a sweep, quickly where the thread that comes next is right behind.
PORTER_INLINE Switch step_aside(Block &block) {
  unsigned self = cursor.index, next = self + 1;
  if (next >= sweep_end(block) || next >= block.started) return leave_slowly(block);
  Fiber *fiber = block.fibers[next];
  if (!fiber) return leave_slowly(block);
  Worker &me = *worker;
  block.fibers[self] = me.current;
  block.fibers[next] = nullptr;
  me.current = fiber;
  set_running(block, next);
  prefetch_after(block, next);
  return {block.stacks[next], &block.stacks[self]};
}

__attribute__((noinline)) Switch wait_slowly(Block &block, Vote vote, int predicate, const char *file, int line) {
  if (block.phase == Phase::loop) start_sweeping(block);
  if (block.gathering.end) keep_lane_sets(block);
  if (block.waiting_block == 0) {
    block.first_wait = BarrierWait{file, line};
    block.vote = vote;
  } else if (block.first_wait.line != line || block.first_wait.file != file) {
    if (!block.divergence_reported) report_divergent_barrier(block.first_wait, BarrierWait{file, line});
    block.divergence_reported = true;
  }
  block.votes += predicate != 0;
  ++block.waiting_block;
  if (block.phase == Phase::lane_sets) block.warps[warp_of(cursor.index)].at_block |= lane_bit(cursor.index);
  return leave_current(block);
}

}  // namespace

PORTER_INLINE void suspend_current() {
  Switch next = leave_current(*running_block);
  if (next.to) switch_fiber(next.save, next.to);
}

void make_ready(Block &block, Warp &warp, lane_mask group) {
  warp.ready |= group;
  block.ready_warps |= lane_mask(1) << (&warp - block.warps);
}

extern "C" Switch porter_sim_decide_barrier(Vote vote, int predicate, const char *file, int line) {
  if (!running_block) return {};
  Block &block = *running_block;
  const bool as_before = block.phase == Phase::sweep && !block.gathering.end && block.waiting_block &&
                         block.first_wait.line == line && block.first_wait.file == file;
  if (!as_before) return wait_slowly(block, vote, predicate, file, line);
  block.votes += predicate != 0;
  ++block.waiting_block;
  return step_aside(block);
}

PORTER_SUSPENDING(porter_sim_barrier, porter_sim_decide_barrier,
                  (porter_sim::Vote vote, int predicate, const char *file, int line), (vote, predicate, file, line));

int barrier_result(int predicate) { return running_block ? running_block->barrier_result : predicate; }

void forget_threads(Block &block) {
  Worker &me = *worker;
  me.free_fibers = me.all_fibers;
  for (Fiber *&fiber : block.fibers) fiber = nullptr;
}

void abort_block() {
  Worker &me = *worker;
  forget_threads(*me.block);
  running_block = nullptr;
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

bool in_kernel() { return running_block != nullptr; }

}  // namespace porter_sim
