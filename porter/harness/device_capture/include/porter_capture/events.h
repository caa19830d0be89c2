// The capture directory: events.jsonl and safetensors files, as docs/capture-format.md describes them.
// Host code only. `PORTER_DEVICE_CAPTURE` names the directory; without it everything here does nothing.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mutex>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace porter_capture {

struct TensorView {
  std::string name;
  const char *data;
  size_t bytes;
};

inline const char *directory() {
  const char *text = getenv("PORTER_DEVICE_CAPTURE");
  return text && *text ? text : nullptr;
}

inline std::string json_string(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(byte));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// One process, one file; a line is flushed as soon as it is written, so a crash loses nothing before it.
class EventLog {
 public:
  static EventLog &get() {
    static auto *log = new EventLog;  // outlives the program's static objects
    return *log;
  }
  bool open() const { return file_ != nullptr; }
  void write(const std::string &json) {
    std::lock_guard<std::mutex> hold(lock_);
    if (!file_) return;
    fprintf(file_, "%s\n", json.c_str());
    fflush(file_);
  }
  std::mutex &lock() { return recording_; }

 private:
  EventLog() {
    if (!directory()) return;
    file_ = fopen((std::string(directory()) + "/events.jsonl").c_str(), "a");
    if (!file_) {
      fprintf(stderr, "porter capture: cannot write to %s\n", directory());
      _Exit(2);
    }
    cudaDeviceProp properties{};
    int device = 0, runtime = 0;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&properties, device);
    cudaRuntimeGetVersion(&runtime);
    fprintf(file_,
            "{\"event\":\"program\",\"format\":\"porter-capture-1\",\"face\":\"cuda\",\"lanes\":32,\"wide\":false,"
            "\"device\":%s,\"compute_capability\":\"%d.%d\",\"cuda_runtime\":%d}\n",
            json_string(properties.name).c_str(), properties.major, properties.minor, runtime);
    fflush(file_);
    on_exit([](int code, void *) { EventLog::get().write("{\"event\":\"exit\",\"code\":" + std::to_string(code) + "}"); },
            nullptr);
  }

  FILE *file_ = nullptr;
  std::mutex lock_;
  std::mutex recording_;
};

inline bool capturing() { return EventLog::get().open(); }

inline std::string numbered(const char *stem, int index) {
  char text[64];
  snprintf(text, sizeof text, "%s-%04d.safetensors", stem, index);
  return text;
}

// All tensors are bytes (U8), as in every capture.
inline void write_tensors(const std::string &name, const std::vector<TensorView> &tensors) {
  std::string header = "{";
  size_t offset = 0;
  for (const TensorView &t : tensors) {
    header += (header.size() > 1 ? "," : "") + json_string(t.name) + ":{\"dtype\":\"U8\",\"shape\":[" +
              std::to_string(t.bytes) + "],\"data_offsets\":[" + std::to_string(offset) + "," +
              std::to_string(offset + t.bytes) + "]}";
    offset += t.bytes;
  }
  header += "}";
  while (header.size() % 8) header += ' ';
  FILE *file = fopen((std::string(directory()) + "/" + name).c_str(), "wb");
  unsigned long long length = header.size();
  bool good = file && fwrite(&length, sizeof length, 1, file) == 1;
  good = good && fwrite(header.data(), 1, header.size(), file) == header.size();
  for (const TensorView &t : tensors) good = good && fwrite(t.data, 1, t.bytes, file) == t.bytes;
  if (!file || fclose(file) != 0 || !good) {
    fprintf(stderr, "porter capture: cannot write %s\n", name.c_str());
    _Exit(2);
  }
}

// `PORTER_CAPTURE_LIMIT` bounds the bytes of all tensors; what does not fit is recorded without them.
inline bool fits(size_t bytes) {
  static size_t left = [] {
    const char *text = getenv("PORTER_CAPTURE_LIMIT");
    return text && *text ? size_t(strtoull(text, nullptr, 10)) : size_t(1) << 30;
  }();
  if (bytes > left) return false;
  left -= bytes;
  return true;
}

}  // namespace porter_capture
