// What a matrix product is made of: descriptors as the library keeps them, their fields as attributes name them.
#pragma once

#include "blas/mixed.h"

namespace porter_sim::blaslt {

using blas::Compute;
using blas::Transpose;

struct Layout {
  int32_t type, order;
  uint64_t rows, columns;
  int64_t stride;
  int32_t batch = 1;
  int64_t batch_offset = 0;

  Element element() const { return Element(type); }
  int64_t at(int64_t row, int64_t column) const { return order ? row * stride + column : row + column * stride; }
  size_t reach() const {
    if (!rows || !columns) return 0;
    return size_t(at(int64_t(rows) - 1, int64_t(columns) - 1)) + 1;
  }
};

struct Description {
  int32_t compute_type, scale_type;
  int32_t pointer_mode = 0;
  int32_t transa, transb;  // the face's numbers
  uint32_t epilogue = 1;
  const void *bias = nullptr;
  int64_t bias_batch_stride = 0;
  int32_t bias_type = -1;
  void *aux = nullptr;
  int64_t aux_stride = 0, aux_batch_stride = 0;
  int32_t aux_type = -1;
  const void *scales[4] = {};  // of A, B, C, D
  void *largest = nullptr;
  int32_t multiprocessors = 0;
  int8_t fast_accumulation = 0;
};

struct Preference {
  uint64_t workspace_bytes = 0;
};

struct Field {
  void *data;
  size_t bytes;
};
template <class T>
Field field(T &value) {
  return {&value, sizeof(T)};
}

inline void set_field(Field to, const void *value, size_t bytes) {
  require(value && to.data && bytes == to.bytes);
  memcpy(to.data, value, bytes);
}
inline void get_field(Field from, void *value, size_t bytes, size_t *written) {
  require(from.data != nullptr);
  if (written) *written = from.bytes;
  if (bytes == 0) return require(written != nullptr);
  require(value && bytes >= from.bytes);
  memcpy(value, from.data, from.bytes);
}

}  // namespace porter_sim::blaslt
