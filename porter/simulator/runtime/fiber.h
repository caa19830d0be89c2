// A fiber: a stack that a suspended thread keeps. Switching saves the callee-saved registers and nothing else.
#pragma once

#include <stddef.h>

namespace porter_sim {

struct Fiber {
  char *mapping;  // guard page first
  size_t mapping_bytes;
  char *stack_bottom;
  char *stack_top;
};

Fiber *new_fiber(unsigned ordinal);
bool in_guard_page(const Fiber &fiber, const void *address);

// The stack pointer that makes the next switch to `fiber` call `entry()` on an empty stack; `entry` never returns.
void *prepare_fiber(Fiber &fiber, void (*entry)());
// Goes on where `stack_pointer` stands, and keeps the running fiber's own in `*save`.
void switch_fiber(void **save, void *stack_pointer);
// As switch_fiber, when nobody will come back to the running fiber.
void leave_fiber(void *stack_pointer);

}  // namespace porter_sim
