// Reading and writing safetensors files: an 8-byte length, a JSON header, the data.
#pragma once

#include <stddef.h>

#include <map>
#include <string>
#include <vector>

namespace porter_sim {

struct TensorView {
  std::string name;
  std::string dtype;
  std::vector<size_t> shape;
  const char *data;
  size_t bytes;
};

bool write_tensors(const std::string &path, const std::vector<TensorView> &tensors);

// A file in memory; the views point into it.
struct TensorFile {
  std::vector<char> content;
  std::map<std::string, TensorView> tensors;
};
// False, with a reason, when the file is missing or malformed.
bool read_tensors(const std::string &path, TensorFile &file, std::string &reason);

}  // namespace porter_sim
