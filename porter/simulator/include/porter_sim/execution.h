// The running thread: its coordinates, and how a block goes from one thread to the next.
// A block stays on one worker from start to end, so thread-local storage is block-local too.
#pragma once

#include "porter_sim/vector_types.h"

extern PORTER_TLS uint3 threadIdx;
extern PORTER_TLS uint3 blockIdx;
extern PORTER_TLS dim3 blockDim;
extern PORTER_TLS dim3 gridDim;
extern const int warpSize;

namespace porter_sim {

// Where the block stands. While no thread was ever suspended threads run in a plain loop, row by row.
struct Cursor {
  unsigned index;    // linear index of the running thread
  unsigned count;    // threads in the block
  unsigned row_end;  // behind the running row of threads; 0: a thread is suspended, or the order is permuted
};
extern PORTER_TLS Cursor cursor;

// Ends the running thread, the last one of a row or one after which others go on, and moves to the next one that has
// not started; false when there is none.
bool next_row();
bool in_kernel();

// Runs the threads of a block that have not started, until none is left.
template <class Body>
void run_threads(void *context) {
  Body &body = *static_cast<Body *>(context);
  do {
    // Counted in registers: what was just stored would be late to load again.
    unsigned index = cursor.index, x = threadIdx.x;
    while (body(), ++index < cursor.row_end) {
      cursor.index = index;
      threadIdx.x = ++x;
    }
  } while (next_row());
}

// Block barrier; the result is what the `Vote` makes of every thread's predicate.
enum class Vote : int { none, all, any, count };
extern "C" void porter_sim_barrier(Vote vote, int predicate, const char *file, int line);
int barrier_result(int predicate);
PORTER_INLINE int block_barrier(Vote vote, int predicate, const char *file, int line) {
  porter_sim_barrier(vote, predicate, file, line);
  return vote == Vote::none ? predicate : barrier_result(predicate);
}
void grid_barrier(const char *file, int line);
bool grid_barrier_works();

// While there is one, the host's code stands for the device's: an algorithm that a GPU would run.
struct DeviceWork {
  static PORTER_TLS int depth;
  DeviceWork() { ++depth; }
  ~DeviceWork() { --depth; }
};

[[noreturn]] void device_trap(const char *code, const char *message, const char *file, int line);

[[noreturn]] void over_launch_bounds(unsigned bound);
// First statement of a kernel with __launch_bounds__.
PORTER_INLINE void check_launch_bounds(unsigned bound) {
  if (cursor.count > bound) over_launch_bounds(bound);
}

// First statement of a kernel with __cluster_dims__.
PORTER_INLINE void check_cluster(unsigned x, unsigned y = 1, unsigned z = 1, PORTER_HERE) {
  if (x * y * z > 1) device_trap("SIM041", "clusters of more than one block are not simulated", porter_file, porter_line);
}

PORTER_INLINE unsigned linear_thread() { return cursor.index; }

}  // namespace porter_sim

PORTER_INLINE void __syncthreads(PORTER_HERE) {
  porter_sim::block_barrier(porter_sim::Vote::none, 0, porter_file, porter_line);
}
PORTER_INLINE int __syncthreads_and(int predicate, PORTER_HERE) {
  return porter_sim::block_barrier(porter_sim::Vote::all, predicate, porter_file, porter_line);
}
PORTER_INLINE int __syncthreads_or(int predicate, PORTER_HERE) {
  return porter_sim::block_barrier(porter_sim::Vote::any, predicate, porter_file, porter_line);
}
PORTER_INLINE int __syncthreads_count(int predicate, PORTER_HERE) {
  return porter_sim::block_barrier(porter_sim::Vote::count, predicate, porter_file, porter_line);
}
PORTER_INLINE void __barrier_sync(unsigned, PORTER_HERE) {
  porter_sim::block_barrier(porter_sim::Vote::none, 0, porter_file, porter_line);
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
