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

// Lane sets of one warp, kept in Phase::lane_sets only. A lane that is in none of them has not started, has ended, or is running.
struct alignas(64) Warp {
  lane_mask present;   // lanes the block has
  lane_mask ended;
  lane_mask ready;
  lane_mask grouped;   // waits in a collective
  lane_mask at_block;  // waits at the block barrier
  lane_mask at_grid;   // waits at the grid barrier
  bool same_call;      // all lanes of `grouped` are in the same call
  Collective *calls;   // by lane: what a grouped lane waits in
};

struct BarrierWait {
  const char *file;
  int line;
};

// How a block's threads are accounted for.
enum class Phase : int {
  loop,       // no thread was ever suspended: those before the running one have ended, the others have not started
  sweep,      // in the order of their indices: those before the running one that have not ended wait at the block
              // barrier, or have gathered for a collective; those after it are ready
  lane_sets,  // by the sets of each warp
};

// Phase::sweep: the threads from `first` to the running one that have not ended wait in one and the same collective,
// and so will all of its group, which ends before `end`. Nobody gathers while `end` is 0.
struct Gathering {
  unsigned first;
  unsigned end;
};

// Of one barrier over a part of the block: who it is for, and how far it is.
struct Arrivals {
  unsigned key;
  unsigned arrived;
  unsigned phase;
};

// A thread's copies to shared memory that are under way.
struct CopyQueue {
  struct Copy {
    void *to;
    unsigned bytes;
    unsigned char data[16];
  };
  std::vector<Copy> copies;
  std::vector<size_t> groups;  // how many copies there were when each was closed
};

struct PlacedShared {
  const SharedSlot *slot;
  void *address;
};

struct Block {
  uint3 index;
  unsigned long long serial;
  unsigned threads;
  unsigned started;
  unsigned ended;
  unsigned waiting_block;
  unsigned waiting_grid;
  Phase phase;
  Gathering gathering;
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
  const uint3 *coordinates;  // threadIdx by linear index
  char *arena;            // shared memory; ends at a guard page
  size_t arena_used;
  size_t shared_bytes;    // declared so far, as the GPU would lay it out
  size_t dynamic_bytes;
  bool cooperative;                   // all blocks of the grid are alive
  std::vector<PlacedShared> placed;   // where its variables are, for when its turn comes again
  std::vector<Arrivals> arrivals;
  std::vector<CopyQueue> copies;  // by thread
  std::vector<Work> issued;       // child grids and copies that its threads have issued
  unsigned paused_threads;
  unsigned paused_for_world;
  unsigned patience;  // turns that groups of lanes have waited for threads that stepped aside
  // Threads that stopped or ended, and those that only looked in vain; `_seen` is their state at the last release.
  unsigned events, events_seen;
  unsigned vain_looks, vain_seen;
  BarrierWait last_pause;
  lane_mask paused[max_warps];
  const void *shown[max_block_threads];
  Warp warps[max_warps];
  Fiber *fibers[max_block_threads];  // of suspended threads
  void *stacks[max_block_threads];   // their stack pointers
  Collective *calls;  // by thread
};

// Why a worker came back to its own stack.
enum class Yield : int { finished, at_grid_barrier, paused };

struct Worker {
  void *home_stack;  // the worker's own stack pointer while a thread runs
  Fiber *current;
  Block *block;
  Yield yield;
  std::vector<Fiber *> all_fibers;
  std::vector<Fiber *> free_fibers;
  std::vector<uint3> coordinates;  // threadIdx by linear index, for blocks of `coordinates_of`
  dim3 coordinates_of{0, 0, 0};
  unsigned long long random;
  sigjmp_buf abort_point;
  const char *last_file;
  int last_line;
};

extern PORTER_TLS Worker *worker;
extern PORTER_TLS Block *running_block;  // null outside of a kernel

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
// Gives up the running launch on this worker; comes out at the worker's abort point.
[[noreturn]] void abort_block();

// collectives.cpp
bool try_complete(Block &block, Warp &warp);
bool complete_stalled(Block &block);
// The lanes that gathered are all of their group: they have what the collective makes of them. The first of them.
unsigned complete_gathered(Block &block);
void make_ready(Block &block, Warp &warp, lane_mask group);
// waiting.cpp
bool release_paused(Block &block);
// Whether a thread did more than look in vain since the last release.
bool has_moved(const Block &block);
[[noreturn]] void report_vain_wait(Block &block);
// Forgets the threads of every block of this worker.
void forget_threads(Block &block);
// scheduling
// The block goes on in Phase::lane_sets.
void keep_lane_sets(Block &block);
// Takes the running thread out of the way, until what it waits for makes it ready.
PORTER_INLINE Switch leave_current(Block &block);
PORTER_INLINE void suspend_current();
void report_deadlock(Block &block);
uint3 thread_coordinates(unsigned index);

inline unsigned warp_of(unsigned thread) { return thread / lanes; }
inline lane_mask lane_bit(unsigned thread) { return lane_mask(1) << (thread % lanes); }

}  // namespace porter_sim
