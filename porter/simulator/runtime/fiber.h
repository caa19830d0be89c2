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

// Where a thread that waits hands over to, and where its own stack pointer is kept. `to` is null: it goes on itself.
struct Switch {
  void *to;
  void **save;
};

// The stack pointer that makes the next switch to `fiber` call `entry(context)` on an empty stack, then `leave()`,
// which never returns.
void *prepare_fiber(const Fiber &fiber, void (*entry)(void *), void *context, void (*leave)());
// Goes on where `stack_pointer` stands, and keeps the running fiber's own in `*save`.
void switch_fiber(void **save, void *stack_pointer);
// As switch_fiber, when nobody will come back to the running fiber.
[[noreturn]] void leave_fiber(void *stack_pointer);

}  // namespace porter_sim

// Defines `void name parameters`, which asks `Switch decide parameters` where the machine goes on, and switches there.
// Nothing but the saved registers is left on the stack of a thread that waits: decide has returned by then. It jumps
// instead of returning: the processor would expect the way back of this thread, and gets that of another.
#if defined(__x86_64__) && !defined(PORTER_SIM_UCONTEXT)

#define PORTER_SUSPENDING(name, decide, parameters, arguments) \
  asm(".text\n"                                                \
      ".p2align 4\n"                                           \
      ".globl " #name "\n"                                     \
      ".type " #name ",@function\n" #name                      \
      ":\n"                                                    \
      "  pushq %rbp\n"                                         \
      "  movq %rsp, %rbp\n"                                    \
      "  pushq %rbx\n"                                         \
      "  pushq %r12\n"                                         \
      "  pushq %r13\n"                                         \
      "  pushq %r14\n"                                         \
      "  pushq %r15\n"                                         \
      "  subq $8, %rsp\n"                                      \
      "  call " #decide "\n"                                   \
      "  addq $8, %rsp\n"                                      \
      "  testq %rax, %rax\n"                                   \
      "  jz 1f\n"                                              \
      "  movq %rsp, (%rdx)\n"                                  \
      "  movq %rax, %rsp\n"                                    \
      "1:\n"                                                   \
      "  popq %r15\n"                                          \
      "  popq %r14\n"                                          \
      "  popq %r13\n"                                          \
      "  popq %r12\n"                                          \
      "  popq %rbx\n"                                          \
      "  popq %rbp\n"                                          \
      "  popq %rcx\n"                                          \
      "  jmpq *%rcx\n"                                         \
      ".size " #name ",.-" #name "\n")

#else

#define PORTER_SUSPENDING(name, decide, parameters, arguments)                            \
  extern "C" void name parameters {                                                       \
    porter_sim::Switch next = decide arguments;                                           \
    if (next.to) porter_sim::switch_fiber(next.save, next.to);                            \
  }                                                                                       \
  static_assert(true, "takes the semicolon")

#endif
