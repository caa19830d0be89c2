#include "overrun.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "block.h"
#include "errors.h"
#include "grid.h"
#include "lines.h"
#include "memory.h"
#include "store_watch.h"

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
  snprintf(text, size, "out of bounds write: byte %td of allocation %d, which has %zu bytes%s", d.first - a.start, a.id, a.bytes,
           where_allocated(a).c_str());
}

struct Search {
  Damage damage;
  Overwriter *culprit;
};
Search search;

void look_for_damage(const Store &store) {
  if (!is_damaged(search.damage.allocation)) return;
  Overwriter &c = *search.culprit;
  SourceLine line = source_line(store.instruction, nullptr, nullptr);
  c.block = blockIdx;
  c.thread = threadIdx;
  c.line = line.line;
  snprintf(c.file, sizeof c.file, "%s", line.file ? line.file : "");
  c.found = line.file != nullptr;
  _exit(0);
}

[[noreturn]] void trace(const LaunchRequest &request, const Damage &damage, Overwriter *culprit) {
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  forget_workers();
  alarm(tracing_seconds);
  search = {damage, culprit};
  run_alone(request, program_schedule_seed(), [] { watch_stores(search.damage.first, look_for_damage); });
  _exit(1);
}

void find_culprit(const LaunchRequest &request, const Damage &damage, Overwriter *culprit) {
  if (!can_watch_stores()) return;
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) trace(request, damage, culprit);
  int status;
  if (child > 0) waitpid(child, &status, 0);
}

void report_overrun(const LaunchRequest &request, const Damage &damage) {
  void *memory = mmap(nullptr, sizeof(Overwriter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory to look for an overrun");
  auto *culprit = static_cast<Overwriter *>(memory);
  find_culprit(request, damage, culprit);
  char text[320];
  describe_damage(damage, text, sizeof text);
  if (culprit->found) {
    const Thread who{culprit->block, culprit->thread};
    report_at("SIM009", running_kernel(), {strdup(culprit->file), culprit->line}, &who, text);
  } else {
    strncat(text, ", by a thread that is not known: the memory check names it", sizeof text - strlen(text) - 1);
    report_at("SIM009", running_kernel(), running_launch_place(), nullptr, text);
  }
  munmap(memory, sizeof(Overwriter));
}

}  // namespace

void report_overruns(const LaunchRequest &request) {
  for (const Damage &damage : mend_canaries()) report_overrun(request, damage);
}

}  // namespace porter_sim
