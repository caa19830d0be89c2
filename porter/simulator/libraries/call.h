// One call of a library's function: its checks, its scalars, the device memory it touches, and its status.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>

#include "library_call.h"
#include "porter_sim/libraries/single.h"

namespace porter_sim {

enum class Code {
  success,
  not_initialized,
  invalid_value,
  invalid_enum,
  not_supported,
  allocation_failed,
  execution_failed,
  mapping_error,
  internal_error,
  zero_pivot,
};

// Thrown by checks, caught where the call came in.
struct Refusal {
  Code code;
};

inline void require(bool condition, Code code = Code::invalid_value) {
  if (!condition) throw Refusal{code};
}

class Call {
 public:
  Call(const char *function, const void *return_address, bool scalars_on_device)
      : place_{function, return_address}, scalars_on_device_(scalars_on_device) {}

  // `count` elements from `address` are read or written on the device.
  template <class T>
  void reach(const T *address, size_t count) const {
    reach_bytes(address, count * sizeof(T));
  }
  void reach_bytes(const void *address, size_t bytes) const {
    if (!reach_device_memory(place_, address, bytes)) throw Refusal{Code::execution_failed};
  }
  template <class T>
  void reach_vector(const T *x, int64_t n, int64_t inc) const {
    if (n > 0) reach(x, size_t(1 + (n - 1) * (inc < 0 ? -inc : inc)));
  }
  // Column-major, `stride` elements from column to column.
  template <class T>
  void reach_matrix(const T *a, int64_t rows, int64_t columns, int64_t stride) const {
    if (rows > 0 && columns > 0) reach(a, size_t((columns - 1) * stride + rows));
  }

  // A scalar argument, which the handle's pointer mode puts on the host or the device.
  template <class T>
  T scalar(const T *address) const {
    require(address != nullptr);
    if (scalars_on_device_) reach(address, 1);
    return *address;
  }
  template <class T>
  void result(T *address, T value) const {
    require(address != nullptr);
    if (scalars_on_device_) reach(address, 1);
    *address = value;
  }

  bool scalars_on_device() const { return scalars_on_device_; }

 private:
  LibraryCall place_;
  bool scalars_on_device_;
};

// A face's types as the library's own: complex numbers are the standard's; what has no overload stays as it is.
template <class T>
T as_core(T value) {
  return value;
}
#define PORTER_AS_COMPLEX(Face, Core)                                                              \
  inline Core *as_core(Face *p) { return reinterpret_cast<Core *>(p); }                            \
  inline const Core *as_core(const Face *p) { return reinterpret_cast<const Core *>(p); }          \
  inline Core *const *as_core(Face *const *p) { return reinterpret_cast<Core *const *>(p); }       \
  inline Core *const *as_core(Face **p) { return reinterpret_cast<Core *const *>(p); }             \
  inline const Core *const *as_core(const Face *const *p) {                                        \
    return reinterpret_cast<const Core *const *>(p);                                               \
  }                                                                                                \
  inline const Core *const *as_core(const Face **p) { return reinterpret_cast<const Core *const *>(p); }
PORTER_AS_COMPLEX(float2, std::complex<float>)
PORTER_AS_COMPLEX(double2, std::complex<double>)
#undef PORTER_AS_COMPLEX

}  // namespace porter_sim
