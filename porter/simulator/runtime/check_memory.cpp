#include "check_memory.h"

#ifdef PORTER_SIM_CHECK

#include <stdint.h>
#include <sys/mman.h>

#include "errors.h"

namespace porter_sim {

Region no_region{nullptr, 0, Kind::device, false};

namespace {

// Two levels over 47 bits of address space: 1 GiB, then 4 KiB pages. No two allocations share a page.
constexpr unsigned page_bits = 12, leaf_bits = 18, root_bits = 17;
constexpr size_t leaf_entries = size_t(1) << leaf_bits;
Region **leaves[size_t(1) << root_bits];

Region **leaf_of(uintptr_t address, bool make) {
  size_t at = address >> (page_bits + leaf_bits);
  if (at >> root_bits) return nullptr;
  if (!leaves[at] && make) {
    void *memory = mmap(nullptr, leaf_entries * sizeof(Region *), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fatal("no memory for the memory check");
    leaves[at] = static_cast<Region **>(memory);
  }
  return leaves[at];
}

void map_pages(const Allocation &a, Region *region) {
  for (size_t at = 0; at < a.mapping_bytes; at += size_t(1) << page_bits) {
    auto address = reinterpret_cast<uintptr_t>(a.mapping + at);
    if (Region **leaf = leaf_of(address, true)) leaf[address >> page_bits & (leaf_entries - 1)] = region;
  }
}

}  // namespace

Region *region_of(const void *address) {
  auto number = reinterpret_cast<uintptr_t>(address);
  Region **leaf = leaf_of(number, false);
  return leaf ? leaf[number >> page_bits & (leaf_entries - 1)] : nullptr;
}

void check_allocated(const Allocation &a) { map_pages(a, new Region{a.start, a.bytes, a.kind, false}); }

void check_freed(const Allocation &a) {
  Region *region = region_of(a.start);
  if (!region) return;
  region->bytes = 0;
  region->freed = true;
}

void check_unmapped(const Allocation &a) { map_pages(a, nullptr); }

}  // namespace porter_sim

#endif
