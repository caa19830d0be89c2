// Vectors and matrices between host and device; copies to the host are seen as the runtime's own.
#pragma once

#include "call.h"
#include "porter_sim/api_core.h"

namespace porter_sim::blas {

inline void require_copied(int status) { require(status == 0, Code::mapping_error); }

inline void copy_strided(const void *from, int64_t from_pitch, void *to, int64_t to_pitch, int64_t bytes, int64_t count,
                         int direction) {
  if (bytes == 0 || count == 0) return;
  if (from_pitch == bytes && to_pitch == bytes) {
    require_copied(api::copy(to, from, size_t(bytes * count), direction));
  } else {
    require_copied(api::copy_2d(to, size_t(to_pitch), from, size_t(from_pitch), size_t(bytes), size_t(count), direction));
  }
}

inline void copy_vector(int n, int element, const void *from, int from_inc, void *to, int to_inc, int direction) {
  require(n >= 0 && element > 0 && from_inc > 0 && to_inc > 0);
  copy_strided(from, int64_t(from_inc) * element, to, int64_t(to_inc) * element, element, n, direction);
}
inline void copy_matrix(int rows, int columns, int element, const void *from, int from_stride, void *to, int to_stride,
                        int direction) {
  require(rows >= 0 && columns >= 0 && element > 0 && from_stride >= rows && to_stride >= rows);
  require(from_stride > 0 && to_stride > 0);
  copy_strided(from, int64_t(from_stride) * element, to, int64_t(to_stride) * element, int64_t(rows) * element, columns,
               direction);
}

inline void set_vector(int n, int element, const void *from, int from_inc, void *to, int to_inc) {
  copy_vector(n, element, from, from_inc, to, to_inc, 1);
}
inline void get_vector(int n, int element, const void *from, int from_inc, void *to, int to_inc) {
  copy_vector(n, element, from, from_inc, to, to_inc, 2);
}
inline void set_matrix(int rows, int columns, int element, const void *from, int from_stride, void *to, int to_stride) {
  copy_matrix(rows, columns, element, from, from_stride, to, to_stride, 1);
}
inline void get_matrix(int rows, int columns, int element, const void *from, int from_stride, void *to, int to_stride) {
  copy_matrix(rows, columns, element, from, from_stride, to, to_stride, 2);
}

}  // namespace porter_sim::blas
