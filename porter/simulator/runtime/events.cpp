#include "events.h"

#include "errors.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace porter_sim {

namespace {

// Appends whole lines with one write each, so that forked replays and the program itself never interleave.
class EventFile {
 public:
  explicit EventFile(const std::string &path)
      : descriptor_(path.empty() ? -1 : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {}
  bool is_open() const { return descriptor_ >= 0; }
  void write_line(std::string line) const {
    if (!is_open()) return;
    line += '\n';
    for (size_t at = 0; at < line.size();) {
      ssize_t done = write(descriptor_, line.data() + at, line.size() - at);
      if (done <= 0) return;
      at += size_t(done);
    }
  }

 private:
  int descriptor_;
};

std::string environment(const char *name) {
  const char *text = getenv(name);
  return text ? text : "";
}

std::string format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char *pattern, ...) {
  char text[1024];
  va_list values;
  va_start(values, pattern);
  vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

void on_program_exit(int code, void *) { write_event(format("{\"event\":\"exit\",\"code\":%d}", code)); }

EventFile &capture_file() {
  static auto *file = [] {
    const char *directory = capture_directory();
    auto *opened = new EventFile(directory ? std::string(directory) + "/events.jsonl" : "");
    if (opened->is_open()) {
#ifdef PORTER_SIM_HIP
      const char *face = "hip";
#else
      const char *face = "cuda";
#endif
#ifdef PORTER_SIM_WIDE
      const char *wide = "true";
#else
      const char *wide = "false";
#endif
      opened->write_line(format("{\"event\":\"program\",\"format\":\"porter-capture-1\",\"face\":\"%s\",\"lanes\":%d,\"wide\":%s}",
                                face, lanes, wide));
      on_exit(on_program_exit, nullptr);
    }
    return opened;
  }();
  return *file;
}

EventFile &error_file() {
  static auto *file = new EventFile(environment("PORTER_ERRORS"));
  return *file;
}

const char *kind_name(Kind kind) {
  switch (kind) {
    case Kind::managed:
      return "managed";
    case Kind::pinned:
      return "pinned";
    case Kind::symbol:
      return "symbol";
    default:
      return "device";
  }
}

std::string triple(uint3 v) { return format("[%u,%u,%u]", v.x, v.y, v.z); }

}  // namespace

const char *capture_directory() {
  static const char *directory = [] {
    const char *text = getenv("PORTER_CAPTURE");
    return text && *text ? text : nullptr;
  }();
  return directory;
}

bool capturing() { return capture_directory() != nullptr; }

void write_event(const std::string &json) {
  if (capturing()) capture_file().write_line(json);
}

std::string json_string(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += format("\\u%04x", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void event_allocation(const Allocation &a) {
  if (!capturing()) return;
  write_event(format("{\"event\":\"allocation\",\"id\":%d,\"bytes\":%zu,\"kind\":\"%s\",\"name\":", a.id, a.bytes,
                     kind_name(a.kind)) +
              json_string(a.name ? a.name : "") + "}");
}

void event_free(int id) {
  if (capturing()) write_event(format("{\"event\":\"free\",\"id\":%d}", id));
}

void event_error(const char *code, const char *kernel, const Thread *who, const char *file, int line, const char *message) {
  if (!capturing() && !error_file().is_open()) return;
  std::string json = "{\"event\":\"error\",\"code\":" + json_string(code) + ",\"kernel\":" + json_string(kernel) +
                     (who ? ",\"block\":" + triple(who->block) + ",\"thread\":" + triple(who->thread) : std::string()) +
                     ",\"file\":" + json_string(file ? file : "") + ",\"line\":" + std::to_string(line) +
                     ",\"message\":" + json_string(message) + "}";
  write_event(json);
  error_file().write_line(json);
}

void event_settled() { error_file().write_line("{\"event\":\"settled\",\"code\":\"SIM010\"}"); }

void event_repeated(const std::string &code, const std::string &kernel, const char *file, int line,
                    unsigned long long count) {
  error_file().write_line("{\"event\":\"repeated\",\"code\":" + json_string(code) + ",\"kernel\":" + json_string(kernel) +
                          ",\"file\":" + json_string(file ? file : "") + ",\"line\":" + std::to_string(line) +
                          ",\"count\":" + std::to_string(count) + "}");
}

}  // namespace porter_sim
