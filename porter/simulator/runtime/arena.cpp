// The shared memory of a block: one mapping that ends at a guard page. Declared arrays grow from its start, the
// dynamic part lies against its end.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "block.h"
#include "check_shared.h"
#include "device.h"
#include "errors.h"

namespace porter_sim {

namespace {

size_t guard_bytes() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t align_up(size_t value, size_t to) { return (value + to - 1) & ~(to - 1); }

}  // namespace

char *map_arena(size_t bytes) {
  size_t before = shared_shadow_bytes();
  void *memory = mmap(nullptr, before + bytes + guard_bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory for the shared memory of a block");
  char *arena = static_cast<char *>(memory) + before;
  mprotect(arena + bytes, guard_bytes(), PROT_NONE);
  return arena;
}

void unmap_arena(char *arena) { munmap(arena - shared_shadow_bytes(), shared_shadow_bytes() + arena_bytes + guard_bytes()); }

namespace {

// What shared memory holds before anything is written. In another order of the threads it is a number and no NaN, so
// that a kernel whose results come from there gives other results in each.
unsigned unwritten(const Block &block) {
#ifdef PORTER_SIM_CHECK
  return poison_pattern;
#else
  return block.order ? 0x4b1d5eed : poison_pattern;
#endif
}

}  // namespace

void lay_out_arena(Block &block) {
  block.arena_used = block.shared_bytes = 0;
  begin_shared_shadow(block.arena);
  char *dynamic = block.arena + arena_bytes - ((block.dynamic_bytes + 15) & ~size_t(15));
  poison(dynamic, block.dynamic_bytes, unwritten(block));
  dynamic_shared = dynamic;
  dynamic_shared_bytes = unsigned(block.dynamic_bytes);
  add_shared_array(block.arena, "dynamic shared memory", dynamic, block.dynamic_bytes);
}

bool describe_shared_address(const void *address, char *text, size_t size) {
  if (!worker || !worker->block) return false;
  const Block &block = *worker->block;
  const char *end = block.arena + arena_bytes, *byte = static_cast<const char *>(address);
  if (byte < end || byte >= end + sysconf(_SC_PAGESIZE)) return false;
  const char *start = end - ((block.dynamic_bytes + 15) & ~size_t(15));
  snprintf(text, size, "out of bounds: byte %td of the block's %zu bytes of dynamic shared memory", byte - start,
           block.dynamic_bytes);
  return true;
}

namespace {

// A block that had its turn before has its variables already.
void *find_placed(const Block &block, const SharedSlot &slot) {
  for (const PlacedShared &each : block.placed) {
    if (each.slot == &slot) return each.address;
  }
  return nullptr;
}

}  // namespace

void place_shared(SharedSlot &slot, size_t bytes, size_t alignment) {
  Block &block = *worker->block;
  slot.block = block.serial;
  if ((slot.address = find_placed(block, slot))) return;
  block.shared_bytes = align_up(block.shared_bytes, alignment) + bytes;
  if (block.shared_bytes + block.dynamic_bytes > device().shared_bytes_per_block_optin) {
    report_shared_overflow(slot, block.shared_bytes + block.dynamic_bytes);
  }
  size_t offset = align_up(block.arena_used, std::max(alignment, shared_alignment));
  slot.address = block.arena + offset;
  block.placed.push_back({&slot, slot.address});
  block.arena_used = offset + bytes + shared_gap_bytes;
  poison(slot.address, bytes, unwritten(block));
  add_shared_array(block.arena, slot.name, block.arena + offset, bytes);
}

bool is_shared(const void *address) {
  if (!in_kernel()) return false;
  const char *byte = static_cast<const char *>(address), *arena = worker->block->arena;
  return byte >= arena && byte < arena + arena_bytes;
}

size_t shared_offset(const void *address) {
  if (!in_kernel()) fatal("an address of shared memory was asked for outside a kernel");
  return size_t(static_cast<const char *>(address) - worker->block->arena);
}

void *shared_address(size_t offset) {
  if (!in_kernel()) fatal("shared memory was used outside a kernel");
  return worker->block->arena + offset;
}

bool is_local(const void *address) {
  if (!in_kernel()) return false;
  const char *byte = static_cast<const char *>(address);
  const Fiber &fiber = *worker->current;
  return byte >= static_cast<char *>(fiber.stack_bottom) && byte < static_cast<char *>(fiber.stack_top);
}

}  // namespace porter_sim
