// A fiber: a stack that a suspended thread keeps. Switching saves the callee-saved registers and nothing else.
#pragma once

#include <stddef.h>

namespace porter_sim {

struct Fiber {
  char *mapping;  // guard page first
  size_t mapping_bytes;
  char *stack_bottom;
  char *stack_top;
  void *fake_stack;  // AddressSanitizer's
};

Fiber *new_fiber(unsigned ordinal);
bool in_guard_page(const Fiber &fiber, const void *address);

// The stack pointer that makes the next switch to `fiber` call `entry()` on an empty stack; `entry` never returns.
void *prepare_fiber(Fiber &fiber, void (*entry)());
// Goes on with `to` where its stack pointer stands, and keeps that of `from` in `*save`.
void switch_fiber(Fiber &from, void **save, Fiber &to, void *stack_pointer);
// As switch_fiber, when nobody will come back to `from`.
void leave_fiber(Fiber &to, void *stack_pointer);
// First thing on a fresh stack. `home` is the worker's own.
void entered_fiber(Fiber &home);

}  // namespace porter_sim
