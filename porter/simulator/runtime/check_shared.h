// What is known of a block's shared memory: which bytes belong to which array, and who accessed them since when.
#pragma once

#include <stdint.h>

#include "device.h"
#include "findings.h"
#include "porter_sim/collective.h"
#include "porter_sim/shared.h"

namespace porter_sim {

#ifdef PORTER_SIM_CHECK

struct Block;

// The unused bytes behind an array, where an access beyond its end is seen.
constexpr size_t shared_gap_bytes = 1024, shared_alignment = 16;

// A thread's access as a number: epoch, thread, whether it was atomic, the thread's clock. Zero: none.
using Stamp = uint64_t;

// The last accesses of a word or byte. Two readers are kept, of different threads.
struct Cell {
  Stamp write, reads[2];
  uint32_t write_from, reads_from[2];  // return addresses; programs lie in the lowest 4 GiB
  uint32_t split_in;                   // serial of the block in which the word's bytes have cells of their own
};

struct SharedArray {
  const char *name;
  uint32_t start, bytes;
};

constexpr size_t shared_words = arena_bytes / 4;
constexpr unsigned most_threads = 1024, most_arrays = 255;

struct SharedShadow {
  uint32_t epoch;   // of this block and between these barriers; grows for as long as the arena lives
  uint32_t serial;  // of the block
  unsigned arrays;
  SharedArray array[most_arrays + 1];
  uint8_t array_of[shared_words];  // index + 1
  // Who has seen what: `seen[first lane + r][l]` is the clock below which accesses of lane l are past for every lane
  // whose row is r.
  uint32_t clock[most_threads];
  uint8_t row[most_threads];
  uint32_t seen[most_threads][lanes];
  Cell words[shared_words];
  Cell bytes[arena_bytes];
};

// Lies in front of the arena.
size_t shared_shadow_bytes();
SharedShadow &shadow_of(const char *arena);
void begin_shared_shadow(const char *arena);
void add_shared_array(const char *arena, const char *name, const char *start, size_t bytes);

enum class Doing : int { read, write, update };  // `update`: both, atomically

struct SharedAccess {
  size_t offset;  // in the arena
  size_t bytes;
  Doing doing;
  bool atomic;
  const void *instruction;
  const void *frame;
};

void check_shared_access(const Block &block, const SharedAccess &access);
// Findings put off until a value was written.
void settle_shared_writes();

#else
constexpr size_t shared_gap_bytes = 0, shared_alignment = 1;
inline size_t shared_shadow_bytes() { return 0; }
inline void begin_shared_shadow(const char *) {}
inline void add_shared_array(const char *, const char *, const char *, size_t) {}
inline void settle_shared_writes() {}
#endif

}  // namespace porter_sim
