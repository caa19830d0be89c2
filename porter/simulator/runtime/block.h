// A running block and its scheduler. Everything here belongs to one worker; nothing is shared between workers.
#pragma once

#include <setjmp.h>

#include <vector>

#include "fiber.h"
#include "porter_sim/collective.h"
#include "porter_sim/launch.h"
#include "porter_sim/shared.h"

namespace porter_sim {

constexpr unsigned max_block_threads = 1024;
constexpr unsigned max_warps = max_block_threads / 32;

// Lane sets of one warp. A lane that is in none of them has not started, has ended, or is running.
struct alignas(64) Warp {
  lane_mask present;   // lanes the block has
  lane_mask ended;
  lane_mask ready;
  lane_mask grouped;   // waits in a collective
  lane_mask at_block;  // waits at the block barrier
  lane_mask at_grid;   // waits at the grid barrier
  Collective **calls;  // by lane: what a grouped lane waits in
};

struct BarrierWait {
  const char *file;
  int line;
};

struct Block {
  uint3 index;
  unsigned long long serial;
  unsigned threads;
  unsigned started;
  uint3 next_coordinates;  // of thread `started`, in the natural order
  unsigned ended;
  unsigned waiting_block;
  unsigned waiting_grid;
  unsigned slow;
  unsigned running;  // thread to go on with when the worker comes back to this block
  lane_mask ready_warps;
  Vote vote;
  int barrier_result;
  BarrierWait first_wait;
  bool divergence_reported;
  unsigned votes;
  unsigned warp_count;
  void (*entry)(void *);
  void *context;
  const unsigned *order;  // permuted start order, or null
  char *arena;            // shared memory; ends at a guard page
  size_t arena_used;
  size_t dynamic_bytes;
  Warp warps[max_warps];
  Fiber *fibers[max_block_threads];
  Collective *calls[max_block_threads];
};

// Why a worker came back to its own stack.
enum class Yield : int { finished, at_grid_barrier, aborted };

struct Worker {
  Fiber home;
  Fiber *current;
  Block *block;
  Yield yield;
  std::vector<Fiber *> all_fibers;
  std::vector<Fiber *> free_fibers;
  unsigned long long random;
  sigjmp_buf abort_point;
  bool inside_kernel;
  const char *last_file;
  int last_line;
};

extern PORTER_TLS Worker *worker;

Worker *make_worker();
Block *make_block();
void delete_block(Block *block);
// arena.cpp
char *map_arena(size_t bytes);
void unmap_arena(char *arena);
void lay_out_arena(Block &block);
// Whether `address` is right behind the running block's shared memory; says so in `text`.
bool describe_shared_address(const void *address, char *text, size_t size);
void begin_block(Block &block, uint3 index, const LaunchRequest &request, const unsigned *order);
// Runs threads of `block` until it ends, or all that are left wait at the grid barrier.
Yield run_block(Block &block);
void release_grid_barrier(Block &block);
// Gives up the running launch on this worker; comes out of run_block as Yield::aborted.
[[noreturn]] void abort_block();

// collectives.cpp
bool try_complete(Block &block, Warp &warp);
bool complete_stalled(Block &block);
void make_ready(Block &block, Warp &warp, lane_mask group);
// scheduling
void enter_slow(Block &block);
void suspend_current();
void report_deadlock(Block &block);
uint3 thread_coordinates(unsigned index);

inline unsigned warp_of(unsigned thread) { return thread / lanes; }
inline lane_mask lane_bit(unsigned thread) { return lane_mask(1) << (thread % lanes); }

}  // namespace porter_sim
