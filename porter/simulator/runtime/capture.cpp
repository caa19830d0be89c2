#include "capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "events.h"
#include "grid.h"
#include "memory.h"
#include "reach.h"
#include "replay.h"
#include "safetensors.h"
#include "stop.h"
#include "symbols.h"

namespace porter_sim {

namespace {

int launches;
int transfers;
size_t recorded_bytes;

size_t recording_limit() {
  static const size_t limit = [] {
    const char *text = getenv("PORTER_CAPTURE_LIMIT");
    return text && *text ? size_t(strtoull(text, nullptr, 10)) : size_t(1) << 30;
  }();
  return limit;
}

bool fits(size_t bytes) {
  if (recorded_bytes + bytes > recording_limit()) return false;
  recorded_bytes += bytes;
  return true;
}

std::string numbered(const char *stem, int index) {
  char text[64];
  snprintf(text, sizeof text, "%s-%04d.safetensors", stem, index);
  return text;
}

std::string in_directory(const std::string &name) { return std::string(capture_directory()) + "/" + name; }

std::string hex(const void *bytes, size_t size) {
  std::string out;
  char digits[3];
  for (size_t i = 0; i < size; ++i) {
    snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char *>(bytes)[i]);
    out += digits;
  }
  return out;
}

std::string target_fields(const Target &target) {
  if (!target.known) return "\"allocation\":null,\"offset_bytes\":0";
  return "\"allocation\":" + std::to_string(target.allocation.id) +
         ",\"offset_bytes\":" + std::to_string(target.offset);
}

std::string type_field(const Argument &a) { return "\"type\":" + json_string(std::string(a.type, a.type_length)); }

std::string structure_json(const Argument &a, int index, const std::vector<Reached> &reached) {
  std::string out = "{\"kind\":\"struct\"," + type_field(a) + ",\"bytes\":\"" + hex(a.bytes, a.size) + "\",\"pointers\":[";
  bool first = true;
  for (const Reached &r : reached) {
    if (r.argument != index) continue;
    out += std::string(first ? "" : ",") + "{\"at\":" + std::to_string(r.at) + "," + target_fields(r.target) + "}";
    first = false;
  }
  return out + "]}";
}

std::string argument_json(const Argument &a, int index, const std::vector<Reached> &reached) {
  switch (a.kind) {
    case ArgumentKind::pointer:
      return "{\"kind\":\"pointer\"," + type_field(a) + ",\"const\":" + (a.pointee_const ? "true" : "false") + "," +
             target_fields(target_of(*static_cast<void *const *>(a.bytes))) + "}";
    case ArgumentKind::structure:
      return structure_json(a, index, reached);
    default:
      return "{\"kind\":\"scalar\"," + type_field(a) + ",\"bytes\":\"" + hex(a.bytes, a.size) + "\"}";
  }
}

std::string dimensions(const dim3 &d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

std::string one_argument(const std::string &text) {
  size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// The template arguments at the end of `ns::scale<float, 4>`, each as it is spelled there.
std::string template_arguments_json(std::string name) {
  name.erase(name.find_last_not_of(" )") + 1);
  size_t open = name.size(), depth = 0;
  if (name.empty() || name.back() != '>') return "[]";
  std::string out;
  while (open-- > 0) {
    depth += (name[open] == '>') - (name[open] == '<');
    if (depth == 0) break;
  }
  int inside = 0;
  for (size_t i = open + 1, start = i; i < name.size(); ++i) {
    char c = name[i];
    if (inside == 0 && (c == ',' || i + 1 == name.size())) {
      std::string argument = one_argument(name.substr(start, i - start));
      if (!argument.empty()) out += (out.empty() ? "" : ",") + json_string(argument);
      start = i + 1;
    }
    inside += (c == '<' || c == '(' || c == '[' || c == '{') - (c == '>' || c == ')' || c == ']' || c == '}');
  }
  return "[" + out + "]";
}

// The kernel as it is written at the launch, and by its full name where the callee is one function.
std::string kernel_fields(const LaunchRequest &request) {
  std::string function = function_name(request.function);
  const std::string name = function.empty() ? std::string(request.kernel) : function;
  return "\"kernel\":" + json_string(plain_kernel_name(name.c_str())) + ",\"callee\":" + json_string(request.kernel) +
         ",\"function\":" + json_string(function) +
         ",\"template_arguments\":" + template_arguments_json(name);
}

std::string launch_json(const LaunchRequest &request, const std::vector<Reached> &reached, bool truncated,
                        const std::string &tensors) {
  const Configuration &c = request.configuration;
  std::string out = "{\"event\":\"launch\",\"index\":" + std::to_string(launches) +
                    "," + kernel_fields(request) + ",\"file\":" + json_string(request.file) + ",\"line\":" + std::to_string(request.line) +
                    ",\"grid\":" + dimensions(c.grid) + ",\"block\":" + dimensions(c.block) +
                    ",\"shared_bytes\":" + std::to_string(c.shared_bytes) +
                    ",\"cooperative\":" + (request.cooperative ? "true" : "false") +
                    ",\"truncated\":" + (truncated ? "true" : "false");
  if (!truncated) out += ",\"tensors\":" + json_string(tensors);
  out += ",\"arguments\":[";
  for (size_t i = 0; i < request.argument_count; ++i) {
    out += (i ? "," : "") + argument_json(request.arguments[i], int(i), reached);
  }
  out += "],\"globals\":[";
  bool first = true;
  for (const Reached &r : reached) {
    if (r.argument >= 0) continue;
    const TypeSpelling element = r.target.allocation.element;
    out += std::string(first ? "" : ",") + "{\"name\":" + json_string(r.target.allocation.name) +
           ",\"type\":" + json_string(std::string(element.text, element.length)) +
           ",\"allocation\":" + std::to_string(r.target.allocation.id) + "}";
    first = false;
  }
  return out + "]}";
}

std::vector<Allocation> distinct(const std::vector<Reached> &reached) {
  std::map<int, Allocation> by_id;
  for (const Reached &r : reached) by_id[r.target.allocation.id] = r.target.allocation;
  std::vector<Allocation> all;
  for (auto &entry : by_id) all.push_back(entry.second);
  return all;
}

using Copies = std::vector<std::vector<char>>;

Copies copy_of(const std::vector<Allocation> &allocations) {
  Copies copies;
  for (const Allocation &a : allocations) copies.emplace_back(a.start, a.start + a.bytes);
  return copies;
}

TensorView bytes_view(const std::string &name, const char *data, size_t bytes) { return {name, "U8", {bytes}, data, bytes}; }

void write_launch_tensors(const std::string &name, const std::vector<Allocation> &allocations, const Copies &before) {
  std::vector<TensorView> tensors;
  for (size_t i = 0; i < allocations.size(); ++i) {
    const Allocation &a = allocations[i];
    tensors.push_back(bytes_view(std::to_string(a.id) + "/before", before[i].data(), a.bytes));
    tensors.push_back(bytes_view(std::to_string(a.id) + "/after", a.start, a.bytes));
  }
  if (!write_tensors(in_directory(name), tensors)) fatal("cannot write the capture");
}

int record_launch(const LaunchRequest &request) {
  auto reached = reachable(request);
  auto allocations = distinct(reached);
  size_t bytes = 0;
  for (const Allocation &a : allocations) bytes += 2 * a.bytes;
  bool truncated = !fits(bytes);
  std::string name = numbered("launch", launches);
  std::string json = launch_json(request, reached, truncated, name);
  Copies before;
  if (!truncated) before = copy_of(allocations);
  int status = run_grid(request, program_schedule_seed());
  if (!truncated) write_launch_tensors(name, allocations, before);
  write_event(json);
  return status;
}

}  // namespace

int observe_launch(const LaunchRequest &request) {
  const bool recording = capturing() && !replay_planned();
  if (recording) stop_where_asked(request, launches);
  run_replays(request, launches);
  int status = recording ? record_launch(request) : run_grid(request, program_schedule_seed());
  ++launches;
  return status;
}

void observe_transfer(const void *from, size_t bytes) {
  if (!capturing() || replay_planned() || !fits(bytes)) return;
  Target target = target_of(from);
  std::string name = numbered("transfer", transfers);
  if (!write_tensors(in_directory(name), {bytes_view("data", static_cast<const char *>(from), bytes)})) {
    fatal("cannot write the capture");
  }
  write_event("{\"event\":\"transfer\",\"index\":" + std::to_string(transfers) + ",\"direction\":\"device_to_host\"," +
              target_fields(target) + ",\"bytes\":" + std::to_string(bytes) +
              ",\"after_launch\":" + std::to_string(launches - 1) + ",\"tensors\":" + json_string(name) + "}");
  ++transfers;
}

std::string plain_kernel_name(const char *written) {
  std::string text = written;
  size_t first = text.find_first_not_of(" (*&");
  if (first == std::string::npos) return text;
  text = text.substr(first, text.find_last_not_of(" )") + 1 - first);
  text = text.substr(0, text.find('<'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  size_t scope = text.rfind("::");
  text = scope == std::string::npos ? text : text.substr(scope + 2);
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

TypeSpelling type_spelling(const char *pretty) {
  const char *start = strstr(pretty, "T = ");
  if (!start) return {pretty, strlen(pretty)};
  start += 4;
  const char *end = strrchr(start, ']');
  const char *stop = strchr(start, ';');
  if (stop && stop < end) end = stop;
  return {start, size_t(end - start)};
}

}  // namespace porter_sim
