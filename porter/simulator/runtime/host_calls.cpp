#include "host_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <vector>

#include "checks.h"
#include "errors.h"
#include "grid.h"
#include "memory.h"
#include "porter_sim/api_core.h"

namespace porter_sim {

namespace {

struct Failure {
  int status;
  CallChain callers;
};

struct Failures {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::vector<Failure> unread;
};

Failures &failures() {
  static auto *it = new Failures;  // outlives every static destructor of the program
  return *it;
}

PORTER_TLS int ignoring;

void report_host(const char *code, SourceLine line, const std::string &message) {
  report_at(code, "", {line.file ? line.file : "", line.line}, uint3{0, 0, 0}, uint3{0, 0, 0}, message.c_str());
}

void report_unread() {
  for (const Failure &failure : failures().unread) {
    report_host("SIM054", line_of(failure.callers),
                std::string("this call failed (") + api::error_text(failure.status) + ") and nobody asked for its status");
  }
}

struct Leak {
  SourceLine line;
  size_t bytes;
  size_t count;
};

void report_leaks() {
  std::map<std::pair<std::string, int>, Leak> by_line;
  for (const Allocation &a : live_allocations()) {
    SourceLine line = line_of(a.allocated_by);
    if (!line.file) continue;  // the runtime's own
    Leak &leak = by_line[{line.file, line.line}];
    leak = {line, leak.bytes + a.bytes, leak.count + 1};
  }
  for (auto &entry : by_line) {
    const Leak &leak = entry.second;
    report_host("SIM055", leak.line,
                "device memory from here is never freed: " + std::to_string(leak.count) +
                    (leak.count == 1 ? " allocation, " : " allocations, ") + std::to_string(leak.bytes) + " bytes");
  }
}

// Before every static constructor, so that it runs after every destructor.
__attribute__((constructor(101))) void watch_for_leaks() {
  if (checks(check_leaks)) atexit(report_leaks);
}

}  // namespace

Ignored::Ignored() { ++ignoring; }
Ignored::~Ignored() { --ignoring; }

void report_bad_free(const void *address, const CallChain &callers) {
  Allocation freed{};
  std::string message = "no allocation starts at the address that is freed here";
  if (was_released(address, freed)) {
    message = "allocation " + std::to_string(freed.id) + " (" + std::to_string(freed.bytes) + " bytes) is freed a second time";
  }
  report_host("SIM053", line_of(callers), message);
}

void note_failure(int status, const CallChain &callers) {
  if (!ignoring || !checks(check_api) || status == sticky_error()) return;
  Failures &f = failures();
  pthread_mutex_lock(&f.lock);
  static const bool watched = atexit(report_unread) == 0;
  if (watched) f.unread.push_back({status, callers});
  pthread_mutex_unlock(&f.lock);
}

void note_question() {
  Failures &f = failures();
  pthread_mutex_lock(&f.lock);
  f.unread.clear();
  pthread_mutex_unlock(&f.lock);
}

}  // namespace porter_sim
