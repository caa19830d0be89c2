// A fiber: a stack that a suspended thread keeps. Switching saves the callee-saved registers and nothing else.
#pragma once

#include <stddef.h>

#include "porter_sim/vector_types.h"

namespace porter_sim {

struct Fiber {
  void *stack_pointer;
  uint3 coordinates;  // threadIdx of the suspended thread
  char *mapping;  // guard page first
  size_t mapping_bytes;
  char *stack_bottom;
  char *stack_top;
  void *fake_stack;  // AddressSanitizer's
};

Fiber *new_fiber(unsigned ordinal);
bool in_guard_page(const Fiber &fiber, const void *address);

// Makes the next switch to `fiber` call `entry()` on an empty stack; `entry` never returns.
void prepare_fiber(Fiber &fiber, void (*entry)());
void switch_fiber(Fiber &from, Fiber &to);
// As switch_fiber, when nobody will come back to `from`.
void leave_fiber(Fiber &from, Fiber &to);
// First thing on a fresh stack. `home` is the worker's own.
void entered_fiber(Fiber &home);

}  // namespace porter_sim
