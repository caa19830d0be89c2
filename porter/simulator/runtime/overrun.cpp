#include "overrun.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "block.h"
#include "errors.h"
#include "grid.h"
#include "lines.h"
#include "memory.h"

namespace porter_sim {

namespace {

constexpr unsigned tracing_seconds = 10;

// What the child finds out; shared with its parent.
struct Overwriter {
  bool found;
  uint3 block, thread;
  int line;
  char file[1024];
};

void describe_damage(const Damage &d, char *text, size_t size) {
  const Allocation &a = d.allocation;
  snprintf(text, size, "out of bounds write: byte %td of allocation %d, which has %zu bytes", d.first - a.start, a.id, a.bytes);
}

#if defined(__x86_64__)

struct Watch {
  Damage damage;
  char *page;
  size_t page_bytes;
  void *instruction;
  Overwriter *culprit;
};
Watch watch;

constexpr long trap_flag = 0x100;

void tell_culprit() {
  Overwriter &c = *watch.culprit;
  SourceLine line = source_line(watch.instruction, __builtin_frame_address(0), nullptr);
  c.block = blockIdx;
  c.thread = threadIdx;
  c.line = line.line;
  snprintf(c.file, sizeof c.file, "%s", line.file ? line.file : "");
  c.found = line.file != nullptr;
  _exit(0);
}

void on_touch(int, siginfo_t *information, void *context) {
  auto *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto *byte = static_cast<char *>(information->si_addr);
  if (byte < watch.page || byte >= watch.page + watch.page_bytes) _exit(1);
  mprotect(watch.page, watch.page_bytes, PROT_READ | PROT_WRITE);
  watch.instruction = reinterpret_cast<void *>(registers[REG_RIP]);
  registers[REG_EFL] |= trap_flag;
}

void on_step(int, siginfo_t *, void *context) {
  if (is_damaged(watch.damage.allocation)) tell_culprit();
  static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  mprotect(watch.page, watch.page_bytes, PROT_NONE);
}

void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(number, &action, nullptr);
}

[[noreturn]] void trace(const LaunchRequest &request, const Damage &damage, Overwriter *culprit) {
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  forget_workers();
  alarm(tracing_seconds);
  auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  auto first = reinterpret_cast<uintptr_t>(damage.first) & ~(page - 1);
  watch = {damage, reinterpret_cast<char *>(first), page, nullptr, culprit};
  run_alone(request, program_schedule_seed(), [] {
    handle(SIGSEGV, on_touch);
    handle(SIGTRAP, on_step);
    mprotect(watch.page, watch.page_bytes, PROT_NONE);
  });
  _exit(1);
}

void find_culprit(const LaunchRequest &request, const Damage &damage, Overwriter *culprit) {
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) trace(request, damage, culprit);
  int status;
  if (child > 0) waitpid(child, &status, 0);
}

#else

void find_culprit(const LaunchRequest &, const Damage &, Overwriter *) {}

#endif

void report_overrun(const LaunchRequest &request, const Damage &damage) {
  void *memory = mmap(nullptr, sizeof(Overwriter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory to look for an overrun");
  auto *culprit = static_cast<Overwriter *>(memory);
  find_culprit(request, damage, culprit);
  char text[320];
  describe_damage(damage, text, sizeof text);
  if (culprit->found) {
    report_at("SIM009", running_kernel(), {strdup(culprit->file), culprit->line}, culprit->block, culprit->thread, text);
  } else {
    strncat(text, ", by a thread that is not known: the memory check names it", sizeof text - strlen(text) - 1);
    report_at("SIM009", running_kernel(), running_launch_place(), uint3{0, 0, 0}, uint3{0, 0, 0}, text);
  }
  munmap(memory, sizeof(Overwriter));
}

}  // namespace

void report_overruns(const LaunchRequest &request) {
  for (const Damage &damage : mend_canaries()) report_overrun(request, damage);
}

}  // namespace porter_sim
