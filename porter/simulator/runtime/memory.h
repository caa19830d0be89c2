// The device allocator: every allocation ends at a guard page, starts behind a canary, and is unmapped when freed.
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "lines.h"
#include "porter_sim/launch.h"

namespace porter_sim {

enum class Kind : int { device, managed, pinned, symbol };

struct Allocation {
  int id;
  Kind kind;
  char *start;
  size_t bytes;
  char *mapping;
  size_t mapping_bytes;
  const char *name;      // symbols only, as is the type of its elements
  TypeSpelling element;
  CallChain allocated_by;
};

// Null when the simulated GPU's memory is exhausted. The contents are poisoned.
void *allocate(size_t bytes, Kind kind);
bool release(void *start);
// Whether an allocation that started here is freed, as far back as that is remembered.
bool was_released(const void *start, Allocation &found);
Allocation add_symbol(const char *name, void *start, size_t bytes, Kind kind, TypeSpelling element);
// The allocation that holds `address` (one past the end counts as inside), or null. Copied out.
bool find_allocation(const void *address, Allocation &found);
std::vector<Allocation> live_symbols();
std::vector<Allocation> live_allocations();
size_t allocated_bytes();
void describe_address(const void *address, char *text, size_t size);
// ` (allocated at FILE:LINE)`, or nothing where the line is not known.
std::string where_allocated(const Allocation &a);
// An allocation beside which something was written, and the first such byte.
struct Damage {
  Allocation allocation;
  const char *first;
};
bool is_damaged(const Allocation &a);
// Every damage since the last time; the canaries are whole again afterwards.
std::vector<Damage> mend_canaries();

}  // namespace porter_sim
