// The shared memory of a block: one mapping that ends at a guard page. Declared arrays grow from its start, the
// dynamic part lies against its end.
#include <sys/mman.h>
#include <unistd.h>

#include "block.h"
#include "device.h"
#include "errors.h"
#include "sanitizer.h"

namespace porter_sim {

char *map_arena(size_t bytes) {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory for the shared memory of a block");
  mprotect(static_cast<char *>(memory) + bytes, page, PROT_NONE);
  return static_cast<char *>(memory);
}

void unmap_arena(char *arena) { munmap(arena, arena_bytes + size_t(sysconf(_SC_PAGESIZE))); }

void lay_out_arena(Block &block) {
  allow(block.arena, arena_bytes);
  block.arena_used = 0;
  char *dynamic = block.arena + arena_bytes - ((block.dynamic_bytes + 15) & ~size_t(15));
  poison(dynamic, block.dynamic_bytes);
  dynamic_shared = dynamic;
  dynamic_shared_bytes = unsigned(block.dynamic_bytes);
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

void place_shared(SharedSlot &slot, size_t bytes, size_t alignment) {
  Block &block = *worker->block;
  size_t offset = (block.arena_used + alignment - 1) & ~(alignment - 1);
  if (offset + bytes + block.dynamic_bytes > device().shared_bytes_per_block_optin) {
    report_shared_overflow(slot, offset + bytes + block.dynamic_bytes);
  }
  slot.address = block.arena + offset;
  slot.block = block.serial;
  block.arena_used = offset + bytes + redzone_bytes;
  forbid(block.arena + offset + bytes, redzone_bytes);
  poison(slot.address, bytes);
}

}  // namespace porter_sim
