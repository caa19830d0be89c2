// Whose memory an address is: what accesses are checked against. Nothing in builds without checks.
#pragma once

#include "memory.h"

namespace porter_sim {

#ifdef PORTER_SIM_CHECK
// An allocation as accesses see it. It outlives the memory, so that a late access finds out.
struct Region {
  char *start;
  size_t bytes;  // 0 once it is freed
  Kind kind;
  bool freed;
};

extern Region no_region;
// The region whose pages hold `address`, or null.
Region *region_of(const void *address);
void check_allocated(const Allocation &a);
void check_freed(const Allocation &a);
// The address space goes back to the system.
void check_unmapped(const Allocation &a);
#else
inline void check_allocated(const Allocation &) {}
inline void check_freed(const Allocation &) {}
inline void check_unmapped(const Allocation &) {}
#endif

}  // namespace porter_sim
