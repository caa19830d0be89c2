#include "safetensors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

namespace porter_sim {

namespace {

std::string header_of(const std::vector<TensorView> &tensors) {
  std::string header = "{";
  size_t offset = 0;
  for (const TensorView &t : tensors) {
    if (header.size() > 1) header += ",";
    header += json_string(t.name) + ":{\"dtype\":" + json_string(t.dtype) + ",\"shape\":[";
    for (size_t i = 0; i < t.shape.size(); ++i) header += (i ? "," : "") + std::to_string(t.shape[i]);
    header += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(offset + t.bytes) + "]}";
    offset += t.bytes;
  }
  header += "}";
  while (header.size() % 8) header += ' ';
  return header;
}

// As much of JSON as a safetensors header uses.
class HeaderParser {
 public:
  HeaderParser(const char *text, size_t size) : at_(text), end_(text + size) {}

  bool parse(std::map<std::string, TensorView> &out, const char *data, size_t data_bytes) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string name;
      if (!string(name) || !take(':')) return false;
      if (name == "__metadata__") {
        if (!skip_object()) return false;
        continue;
      }
      TensorView view;
      view.name = name;
      if (!tensor(view, data, data_bytes)) return false;
      out[name] = view;
    } while (take(','));
    return take('}');
  }

 private:
  void blank() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  bool take(char c) {
    blank();
    if (at_ >= end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool string(std::string &out) {
    if (!take('"')) return false;
    while (at_ < end_ && *at_ != '"') {
      if (*at_ == '\\' && at_ + 1 < end_) ++at_;
      out += *at_++;
    }
    return take('"');
  }
  bool numbers(std::vector<size_t> &out) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      blank();
      char *stop;
      out.push_back(strtoull(at_, &stop, 10));
      if (stop == at_) return false;
      at_ = stop;
    } while (take(','));
    return take(']');
  }
  bool skip_object() {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string ignored;
      if (!string(ignored) || !take(':') || !string(ignored)) return false;
    } while (take(','));
    return take('}');
  }
  bool tensor(TensorView &view, const char *data, size_t data_bytes) {
    std::vector<size_t> offsets;
    if (!take('{')) return false;
    do {
      std::string key;
      if (!string(key) || !take(':')) return false;
      bool good = key == "dtype" ? string(view.dtype) : key == "shape" ? numbers(view.shape) : numbers(offsets);
      if (!good) return false;
    } while (take(','));
    if (!take('}') || offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_bytes) return false;
    view.data = data + offsets[0];
    view.bytes = offsets[1] - offsets[0];
    return true;
  }

  const char *at_;
  const char *end_;
};

bool read_whole(const std::string &path, std::vector<char> &content) {
  FILE *file = fopen(path.c_str(), "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  fseek(file, 0, SEEK_SET);
  content.resize(size > 0 ? size_t(size) + 1 : 1);
  size_t got = size > 0 ? fread(content.data(), 1, size_t(size), file) : 0;
  content.resize(got + 1);
  content[got] = 0;
  fclose(file);
  return true;
}

}  // namespace

bool write_tensors(const std::string &path, const std::vector<TensorView> &tensors) {
  FILE *file = fopen(path.c_str(), "wb");
  if (!file) return false;
  std::string header = header_of(tensors);
  uint64_t length = header.size();
  fwrite(&length, sizeof length, 1, file);
  fwrite(header.data(), 1, header.size(), file);
  for (const TensorView &t : tensors) fwrite(t.data, 1, t.bytes, file);
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}

bool read_tensors(const std::string &path, TensorFile &file, std::string &reason) {
  if (!read_whole(path, file.content)) {
    reason = "cannot read " + path;
    return false;
  }
  size_t size = file.content.size() - 1;
  uint64_t length = 0;
  if (size >= 8) memcpy(&length, file.content.data(), 8);
  if (size < 8 || length > size - 8) {
    reason = path + " is no safetensors file";
    return false;
  }
  HeaderParser parser(file.content.data() + 8, length);
  if (parser.parse(file.tensors, file.content.data() + 8 + length, size - 8 - length)) return true;
  reason = path + " has a malformed header";
  return false;
}

}  // namespace porter_sim
