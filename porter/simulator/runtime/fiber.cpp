#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace porter_sim {

namespace {

// Reserved, not used: a page costs memory only once it is touched. Only cooperative launches have more threads alive
// than two blocks; those get less, or the address space would not do.
constexpr unsigned full_stacks = 2048;
constexpr size_t full_stack_bytes = size_t(256) << 10;
constexpr size_t small_stack_bytes = size_t(64) << 10;

size_t page_bytes() {
  static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Fiber *new_fiber(unsigned ordinal) {
  size_t guard = page_bytes(), stack_bytes = ordinal < full_stacks ? full_stack_bytes : small_stack_bytes;
  void *mapping = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) {
    fputs("porter: no memory for the stack of a thread\n", stderr);
    _exit(3);
  }
  mprotect(mapping, guard, PROT_NONE);
  auto *fiber = new Fiber{};
  fiber->mapping = static_cast<char *>(mapping);
  fiber->mapping_bytes = guard + stack_bytes;
  fiber->stack_bottom = fiber->mapping + guard;
  // Stacks that all start at the same page offset would share a handful of cache sets.
  size_t colour = (size_t(ordinal) * 320) % 4096 & ~size_t(63);
  fiber->stack_top = fiber->mapping + fiber->mapping_bytes - colour;
  return fiber;
}

bool in_guard_page(const Fiber &fiber, const void *address) {
  auto *byte = static_cast<const char *>(address);
  return byte >= fiber.mapping && byte < fiber.stack_bottom;
}

}  // namespace porter_sim

extern "C" void porter_sim_switch(void **save, void *to);

#if defined(__x86_64__) && !defined(PORTER_SIM_UCONTEXT)

asm(R"(
.text
.p2align 4
.globl porter_sim_switch
.type porter_sim_switch,@function
porter_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
.size porter_sim_switch,.-porter_sim_switch
.p2align 4
.globl porter_sim_leave
.type porter_sim_leave,@function
porter_sim_leave:
  movq %rdi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size porter_sim_leave,.-porter_sim_leave
.p2align 4
.globl porter_sim_start
.type porter_sim_start,@function
porter_sim_start:
  movq %rbx, %rdi
  callq *%r12
  callq *%r13
  hlt
.size porter_sim_start,.-porter_sim_start
)");

extern "C" [[noreturn]] void porter_sim_leave(void *to);
extern "C" void porter_sim_start();

namespace porter_sim {

void *prepare_fiber(const Fiber &fiber, void (*entry)(void *), void *context, void (*leave)()) {
  auto **top = reinterpret_cast<void **>(fiber.stack_top);
  // What a switch takes from the stack, from r15 up: one cache line.
  top[-1] = reinterpret_cast<void *>(&porter_sim_start);
  top[-2] = nullptr;  // rbp: backtraces end here
  top[-3] = context;                          // rbx
  top[-4] = reinterpret_cast<void *>(entry);  // r12
  top[-5] = reinterpret_cast<void *>(leave);  // r13
  return top - 7;
}

}  // namespace porter_sim

#elif defined(__aarch64__) && !defined(PORTER_SIM_UCONTEXT)

asm(R"(
.text
.p2align 4
.globl porter_sim_switch
.type porter_sim_switch,%function
porter_sim_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size porter_sim_switch,.-porter_sim_switch
)");

extern "C" void porter_sim_start();

asm(R"(
.text
.p2align 4
.globl porter_sim_start
.type porter_sim_start,%function
porter_sim_start:
  mov x0, x19
  blr x20
  blr x21
  brk #0
.size porter_sim_start,.-porter_sim_start
)");

namespace porter_sim {

void *prepare_fiber(const Fiber &fiber, void (*entry)(void *), void *context, void (*leave)()) {
  auto **slot = reinterpret_cast<void **>(fiber.stack_top) - 20;
  for (int saved = 0; saved < 20; ++saved) slot[saved] = nullptr;
  slot[0] = context;                              // x19
  slot[1] = reinterpret_cast<void *>(entry);  // x20
  slot[2] = reinterpret_cast<void *>(leave);  // x21
  slot[11] = reinterpret_cast<void *>(&porter_sim_start);  // x30
  return slot;
}

}  // namespace porter_sim

#else

#include <ucontext.h>

// Any other machine, and wherever PORTER_SIM_UCONTEXT is defined: the stack pointer is a ucontext, which costs a system
// call a switch.
extern "C" void porter_sim_switch(void **save, void *to) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, static_cast<ucontext_t *>(to));
}

namespace porter_sim {

namespace {

struct Start {
  void (*entry)(void *);
  void *context;
  void (*leave)();
};

// makecontext passes integers only.
void start_at(unsigned low, unsigned high) {
  const Start start = *reinterpret_cast<const Start *>(uintptr_t(low) | uintptr_t(high) << 32);
  start.entry(start.context);
  start.leave();
}

}  // namespace

void *prepare_fiber(const Fiber &fiber, void (*entry)(void *), void *context, void (*leave)()) {
  constexpr size_t usable = size_t(192) << 10;
  auto *start = reinterpret_cast<Start *>(fiber.stack_top) - 1;
  *start = {entry, context, leave};
  auto *ucontext = reinterpret_cast<ucontext_t *>((uintptr_t(start) - sizeof(ucontext_t)) & ~uintptr_t(63));
  getcontext(ucontext);
  ucontext->uc_stack.ss_sp = reinterpret_cast<char *>(ucontext) - usable;
  ucontext->uc_stack.ss_size = usable;
  ucontext->uc_link = nullptr;
  const auto address = uintptr_t(start);
  makecontext(ucontext, reinterpret_cast<void (*)()>(&start_at), 2, unsigned(address), unsigned(address >> 32));
  return ucontext;
}

}  // namespace porter_sim

#endif

namespace porter_sim {

void switch_fiber(void **save, void *stack_pointer) { porter_sim_switch(save, stack_pointer); }

void leave_fiber(void *stack_pointer) {
#if defined(__x86_64__) && !defined(PORTER_SIM_UCONTEXT)
  porter_sim_leave(stack_pointer);
#else
  void *forgotten;
  porter_sim_switch(&forgotten, stack_pointer);
  __builtin_unreachable();
#endif
}

}  // namespace porter_sim
