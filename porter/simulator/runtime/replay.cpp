#include "replay.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "errors.h"
#include "events.h"
#include "grid.h"
#include "last_store.h"
#include "overrun.h"
#include "reach.h"
#include "safetensors.h"
#include "stop.h"

namespace porter_sim {

namespace {

struct Scalar {
  size_t argument;
  std::string bytes;
};

struct Case {
  std::string name;
  int launch;
  std::string inputs;
  dim3 grid{0, 0, 0};
  dim3 block{0, 0, 0};
  std::vector<Scalar> scalars;
  std::vector<std::string> resized;
  unsigned long long seed = 0;
  Watched watched;
};

enum ChildStatus : int { child_ok = 0, child_error = 40 };

dim3 parse_dimensions(const std::string &text) {
  dim3 d(1, 1, 1);
  sscanf(text.c_str(), "%u,%u,%u", &d.x, &d.y, &d.z);
  return d;
}

std::string from_hex(const std::string &text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) bytes += char(strtol(text.substr(i, 2).c_str(), nullptr, 16));
  return bytes;
}

std::vector<std::string> split_at_commas(const std::string &text) {
  std::vector<std::string> parts;
  std::istringstream words(text);
  std::string word;
  while (std::getline(words, word, ',')) parts.push_back(word);
  return parts;
}

void parse_option(const std::string &key, const std::string &value, Case &c) {
  if (key == "grid") c.grid = parse_dimensions(value);
  if (key == "block") c.block = parse_dimensions(value);
  if (key == "schedule") c.seed = strtoull(value.c_str(), nullptr, 10);
  if (key == "resized") c.resized = split_at_commas(value);
  if (key == "watch") c.watched = parse_watched(value);
  size_t colon = value.find(':');
  if (key == "scalar" && colon != std::string::npos) {
    c.scalars.push_back({size_t(atoi(value.c_str())), from_hex(value.substr(colon + 1))});
  }
}

std::vector<Case> read_plan(const char *path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  if (!file) fatal("cannot read the replay plan");
  std::string line, word;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Case c;
    if (!(words >> word) || word != "case" || !(words >> c.name >> c.launch >> c.inputs)) continue;
    while (words >> word) {
      size_t equals = word.find('=');
      if (equals != std::string::npos) parse_option(word.substr(0, equals), word.substr(equals + 1), c);
    }
    cases.push_back(c);
  }
  return cases;
}

const char *plan_path() {
  const char *path = getenv("PORTER_REPLAY");
  return path && *path ? path : nullptr;
}

const std::vector<Case> &plan() {
  static const auto *cases = new std::vector<Case>(plan_path() ? read_plan(plan_path()) : std::vector<Case>{});
  return *cases;
}

int last_planned() {
  static const int last = [] {
    int largest = -1;
    for (const Case &c : plan()) largest = std::max(largest, c.launch);
    return largest;
  }();
  return last;
}

unsigned time_limit_seconds() {
  const char *text = getenv("PORTER_REPLAY_SECONDS");
  int seconds = text && *text ? atoi(text) : 20;
  return unsigned(seconds > 0 ? seconds : 20);
}

// A case that has not had its processor time, since others use the processors, may take so many times as long.
constexpr unsigned patience = 4;

double now_seconds(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double seconds_of(const timeval &time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

// Whether a child has had the processor time of a case. Of several threads all count.
bool has_had_its_time(pid_t child) {
  clockid_t clock;
  return clock_getcpuclockid(child, &clock) != 0 || now_seconds(clock) >= time_limit_seconds();
}

[[noreturn]] void end_child(int pipe, int status, const std::string &message) {
  if (write(pipe, message.data(), message.size()) < 0) _exit(child_error);
  _exit(status);
}

#ifdef PORTER_SIM_WIDE
constexpr bool wide = true;
#else
constexpr bool wide = false;
#endif

bool widens(const TensorView &input, const Allocation &a) {
  return wide && input.dtype == "F32" && a.bytes == 2 * input.bytes;
}

// Overwrites the allocation; a reason is returned when the sizes do not agree.
std::string load_input(const TensorView &input, const Allocation &a) {
  if (widens(input, a)) {
    auto *to = reinterpret_cast<double *>(a.start);
    for (size_t i = 0; i < input.bytes / 4; ++i) {
      float value;
      memcpy(&value, input.data + 4 * i, 4);
      double widened = value;
      memcpy(to + i, &widened, 8);
    }
    return "";
  }
  if (input.bytes != a.bytes) {
    return "input " + input.name + " has " + std::to_string(input.bytes) + " bytes, its allocation " +
           std::to_string(a.bytes);
  }
  memcpy(a.start, input.data, a.bytes);
  return "";
}

// In the double-precision program a buffer of doubles is written as such, whatever its input was.
bool element_is_double(const LaunchRequest &request, const Reached &r) {
  if (!wide || r.argument < 0 || r.inside_structure) return false;
  const Argument &a = request.arguments[r.argument];
  return std::string(a.type, a.type_length).find("double") != std::string::npos;
}

// Points every argument that reaches the allocation of `from` to fresh memory of this size, at the same offset.
bool move_arguments(const LaunchRequest &request, const std::vector<Reached> &reached, const Reached &from,
                    size_t bytes) {
  auto *start = static_cast<char *>(allocate(bytes, from.target.allocation.kind));
  for (const Reached &r : reached) {
    if (!start || r.argument < 0 || r.target.allocation.id != from.target.allocation.id) continue;
    char *pointer = start + r.target.offset;
    memcpy(static_cast<char *>(request.arguments[r.argument].bytes) + r.at, &pointer, sizeof pointer);
  }
  return start;
}

std::string resize_allocations(const LaunchRequest &request, const Case &c, const TensorFile &inputs) {
  for (const std::string &name : c.resized) {
    auto input = inputs.tensors.find(name);
    auto reached = reachable(request);
    auto at = std::find_if(reached.begin(), reached.end(), [&](const Reached &r) { return replay_name(r) == name; });
    if (input == inputs.tensors.end() || at == reached.end() || at->argument < 0 || at->inside_structure) {
      return "no argument " + name + " whose buffer can be resized";
    }
    bool widened = input->second.dtype == "F32" && element_is_double(request, *at);
    size_t bytes = input->second.bytes * (widened ? 2 : 1);
    if (!move_arguments(request, reached, *at, bytes)) return "no memory to resize " + name;
  }
  return "";
}

TensorView output_of(const LaunchRequest &request, const Reached &r, const TensorFile &inputs) {
  const Allocation &a = r.target.allocation;
  std::string name = replay_name(r);
  auto input = inputs.tensors.find(name);
  bool had_input = input != inputs.tensors.end();
  if ((had_input && widens(input->second, a)) || element_is_double(request, r)) {
    return {name, "F64", {a.bytes / 8}, a.start, a.bytes / 8 * 8};
  }
  if (had_input && input->second.bytes == a.bytes) return {name, input->second.dtype, input->second.shape, a.start, a.bytes};
  return {name, "U8", {a.bytes}, a.start, a.bytes};
}

void write_outputs(const LaunchRequest &request, const Case &c, const std::vector<Reached> &reached,
                   const TensorFile &inputs) {
  std::vector<TensorView> outputs;
  for (const Reached &r : reached) outputs.push_back(output_of(request, r, inputs));
  write_tensors(std::string(capture_directory()) + "/replay-" + c.name + ".safetensors", outputs);
}

// The plan names pointers inside structs by their place in the original program. In the double-precision one they
// stand elsewhere, in the same order.
void name_as_planned(std::vector<Reached> &reached, const TensorFile &inputs) {
  if (!wide) return;
  std::map<int, std::vector<size_t>> planned, actual;
  for (auto &entry : inputs.tensors) {
    int argument;
    unsigned long at;
    if (sscanf(entry.first.c_str(), "a%d.%lu", &argument, &at) == 2) planned[argument].push_back(at);
  }
  for (const Reached &r : reached) {
    if (r.inside_structure) actual[r.argument].push_back(r.at);
  }
  for (Reached &r : reached) {
    if (!r.inside_structure) continue;
    auto places = planned[r.argument];
    auto &here = actual[r.argument];
    if (places.size() != here.size()) continue;
    std::sort(places.begin(), places.end());
    r.at = places[size_t(std::find(here.begin(), here.end(), r.at) - here.begin())];
  }
}

std::string load_inputs(const TensorFile &inputs, const std::vector<Reached> &reached) {
  for (auto &entry : inputs.tensors) {
    bool found = false;
    for (const Reached &r : reached) {
      if (replay_name(r) != entry.first) continue;
      std::string reason = load_input(entry.second, r.target.allocation);
      if (!reason.empty()) return reason;
      found = true;
    }
    if (!found) return "the launch reaches no buffer called " + entry.first;
  }
  return "";
}

std::string replace_scalars(const LaunchRequest &request, const Case &c) {
  for (const Scalar &s : c.scalars) {
    if (s.argument >= request.argument_count) return "no argument " + std::to_string(s.argument);
    const Argument &a = request.arguments[s.argument];
    std::string bytes = s.bytes;
    float narrow;
    if (wide && a.size == 8 && bytes.size() == 4 && std::string(a.type, a.type_length) == "double") {
      memcpy(&narrow, bytes.data(), 4);
      double widened = narrow;
      bytes.assign(reinterpret_cast<const char *>(&widened), 8);
    }
    if (bytes.size() != a.size) return "scalar " + std::to_string(s.argument) + " has another size";
    memcpy(a.bytes, bytes.data(), a.size);
  }
  return "";
}

int run_planned(const LaunchRequest &request, const Case &c, const std::vector<Reached> &reached) {
  const unsigned long long seed = c.seed ? c.seed : program_schedule_seed();
  for (const Reached &r : reached) {
    if (replay_name(r) == c.watched.tensor && can_watch(c.watched, r.target.allocation)) {
      return run_watched(request, seed, c.watched, r.target.allocation, c.name);
    }
  }
  return run_grid(request, seed);
}

[[noreturn]] void run_case(LaunchRequest request, const Case &c, int pipe) {
  forget_workers();
  alarm(patience * time_limit_seconds() + 1);  // where the process that counts its time is gone
  TensorFile inputs;
  std::string reason;
  if (!read_tensors(c.inputs, inputs, reason)) end_child(pipe, child_error, reason);
  reason = resize_allocations(request, c, inputs);
  if (!reason.empty()) end_child(pipe, child_error, reason);
  auto reached = reachable(request);
  name_as_planned(reached, inputs);
  reason = load_inputs(inputs, reached);
  if (reason.empty()) reason = replace_scalars(request, c);
  if (!reason.empty()) end_child(pipe, child_error, reason);
  if (c.grid.x) request.configuration.grid = c.grid;
  if (c.block.x) request.configuration.block = c.block;
  int status = validate_launch(request);
  int reports_before = report_count();
  if (!status) status = run_planned(request, c, reached);
  report_overruns(request);
  bool reported = report_count() != reports_before;
  write_outputs(request, c, reached, inputs);
  fflush(stdout);
  end_child(pipe, status || reported ? child_error : child_ok, status || reported ? last_report() : "");
}

// What the child says to its end. It is killed when its time is up: `late` is then "timeout", or "starved" where
// it never had that much processor time.
std::string read_until_end(int descriptor, pid_t child, const char *&late) {
  const double started = now_seconds(CLOCK_MONOTONIC);
  std::string text;
  char buffer[512];
  pollfd waited = {descriptor, POLLIN, 0};
  for (;;) {
    if (poll(&waited, 1, 50) > 0) {
      ssize_t got = read(descriptor, buffer, sizeof buffer);
      if (got <= 0) return text;
      text.append(buffer, size_t(got));
    }
    const double ran = now_seconds(CLOCK_MONOTONIC) - started;
    if (ran < time_limit_seconds()) continue;
    const bool had = has_had_its_time(child);
    if (!had && ran < patience * time_limit_seconds()) continue;
    late = had ? "timeout" : "starved";
    kill(child, SIGKILL);
    return "";
  }
}

void write_replay_event(const Case &c, int wait_status, const std::string &message, const char *late,
                        double cpu_seconds) {
  const char *status = "error";
  std::string text = message;
  if (late) {
    status = late;
  } else if (WIFSIGNALED(wait_status)) {
    status = "crashed";
    text = strsignal(WTERMSIG(wait_status));
  } else if (WEXITSTATUS(wait_status) == child_ok) {
    status = "ok";
  } else if (WEXITSTATUS(wait_status) != child_error) {
    status = "crashed";
    text = "exit code " + std::to_string(WEXITSTATUS(wait_status));
  }
  write_event("{\"event\":\"replay\",\"case\":" + json_string(c.name) + ",\"launch\":" + std::to_string(c.launch) +
              ",\"status\":\"" + status + "\",\"message\":" + json_string(text) +
              ",\"cpu_seconds\":" + std::to_string(cpu_seconds) + "}");
}

void fork_case(const LaunchRequest &request, const Case &c) {
  int ends[2];
  if (pipe(ends) != 0) fatal("cannot make a pipe for a replay");
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork();
  if (child < 0) fatal("cannot fork a replay");
  if (child == 0) {
    close(ends[0]);
    run_case(request, c, ends[1]);
  }
  close(ends[1]);
  const char *late = nullptr;
  std::string message = read_until_end(ends[0], child, late);
  close(ends[0]);
  int wait_status = 0;
  rusage used = {};
  wait4(child, &wait_status, 0, &used);
  write_replay_event(c, wait_status, message, late, seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
}

}  // namespace

bool replay_planned() { return plan_path() != nullptr; }

void run_replays(const LaunchRequest &request, int launch) {
  for (const Case &c : plan()) {
    if (c.launch == launch) fork_case(request, c);
  }
  if (replay_planned() && launch >= last_planned()) stop_after_replays();
}

}  // namespace porter_sim
