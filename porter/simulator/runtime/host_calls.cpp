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
#include "status.h"

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

// The program's own memory that it registered: bytes by address.
struct Registered {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::map<const char *, size_t> bytes;
};

Registered &registered() {
  static auto *it = new Registered;
  return *it;
}

PORTER_TLS int ignoring;

void report_host(const char *code, SourceLine line, const std::string &message) {
  report_at(code, "", {line.file ? line.file : "", line.line}, nullptr, message.c_str());
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

bool is_registered_host(const void *address) {
  Registered &r = registered();
  pthread_mutex_lock(&r.lock);
  auto *byte = static_cast<const char *>(address);
  auto next = r.bytes.upper_bound(byte);
  bool inside = next != r.bytes.begin() && size_t(byte - std::prev(next)->first) < std::prev(next)->second;
  pthread_mutex_unlock(&r.lock);
  return inside;
}

namespace api {

int register_host(void *address, size_t bytes) {
  if (!address || !bytes) return status_invalid_value;
  if (is_registered_host(address)) return status_already_registered;
  Registered &r = registered();
  pthread_mutex_lock(&r.lock);
  r.bytes[static_cast<char *>(address)] = bytes;
  pthread_mutex_unlock(&r.lock);
  return status_success;
}

int unregister_host(void *address) {
  Registered &r = registered();
  pthread_mutex_lock(&r.lock);
  bool known = r.bytes.erase(static_cast<char *>(address)) != 0;
  pthread_mutex_unlock(&r.lock);
  return known ? status_success : status_not_registered;
}

}  // namespace api

}  // namespace porter_sim
