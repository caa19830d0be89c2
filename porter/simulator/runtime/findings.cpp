#include "findings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <tuple>

#include "block.h"
#include "errors.h"
#include "events.h"
#include "grid.h"
#include "lines.h"

namespace porter_sim {

namespace {

constexpr size_t most_places = 100;

struct Told {
  std::string code;
  std::string kernel;
  SourceLine line;
  unsigned long long count;
};
using Instruction = std::tuple<std::string, std::string, const void *, const void *>;
using Line = std::tuple<std::string, std::string, std::string, int, int>;

struct Findings {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::map<Instruction, Told *> by_instruction;
  std::map<Line, Told *> by_line;
};

Findings &findings() {
  static auto *it = new Findings;  // outlives every static destructor of the program
  return *it;
}

void tell_counts() {
  for (auto &entry : findings().by_line) {
    const Told &told = *entry.second;
    if (told.count > 1) event_repeated(told.code, told.kernel, told.line.file, told.line.line, told.count);
  }
}

// Null for an instruction not seen before whose line was, or which is one too many.
Told *enter_finding(Findings &f, const char *code, const Culprit &culprit, const void *other) {
  Told fresh{code, running_kernel(), line_of_call(culprit.instruction, culprit.frame), 1};
  int other_line = other ? line_of_call(other, nullptr).line : 0;
  Line line{code, fresh.kernel, fresh.line.file ? fresh.line.file : "", fresh.line.line, other_line};
  auto at = f.by_line.find(line);
  if (at != f.by_line.end()) {
    ++at->second->count;
    f.by_instruction[{code, fresh.kernel, culprit.instruction, other}] = at->second;
    return nullptr;
  }
  if (f.by_line.size() >= most_places) return nullptr;
  if (f.by_line.empty()) atexit(tell_counts);
  Told *told = new Told(fresh);
  f.by_line[line] = told;
  f.by_instruction[{code, fresh.kernel, culprit.instruction, other}] = told;
  return told;
}

}  // namespace

Culprit culprit_here(const void *instruction, const void *frame) { return {blockIdx, threadIdx, instruction, frame}; }

bool first_of_its_kind(const char *code, const Culprit &culprit, const void *other) {
  Findings &f = findings();
  pthread_mutex_lock(&f.lock);
  auto at = f.by_instruction.find({code, running_kernel(), culprit.instruction, other});
  bool known = at != f.by_instruction.end();
  if (known) ++at->second->count;
  bool first = !known && enter_finding(f, code, culprit, other) != nullptr;
  pthread_mutex_unlock(&f.lock);
  return first;
}

void report_finding(const char *code, const Culprit &culprit, const char *format, ...) {
  char message[512];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  SourceLine line = line_of_call(culprit.instruction, culprit.frame);
  const Thread who{culprit.block, culprit.thread};
  report_at(code, running_kernel(), {line.file, line.line}, &who, message);
}

}  // namespace porter_sim
