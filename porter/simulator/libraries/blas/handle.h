// The handle of a BLAS library, and what its functions do to it.
#pragma once

#include "call.h"

namespace porter_sim::blas {

// Work is done when it is issued, so the stream is only remembered.
struct Handle {
  void *stream;
  int pointer_mode;
  int atomics_mode;
  int math_mode;
};

struct BlasCall : Call {
  BlasCall(const char *function, const void *return_address, Handle *h)
      : Call(function, return_address, h && h->pointer_mode == 1), handle(h) {}
  Handle *handle;
};

inline void create(const BlasCall &, void **out) {
  require(out != nullptr);
  *out = new Handle{};
}
inline void destroy(const BlasCall &call, const void *) { delete call.handle; }

inline void set_stream(const BlasCall &call, void *stream) { call.handle->stream = stream; }
inline void get_stream(const BlasCall &call, void **out) {
  require(out != nullptr);
  *out = call.handle->stream;
}

#define PORTER_BLAS_MODE(mode, accepted)               \
  template <class Mode>                                \
  void set_##mode(const BlasCall &call, Mode value) {  \
    int number = int(value);                           \
    require(accepted, Code::invalid_enum);             \
    call.handle->mode = number;                        \
  }                                                    \
  template <class Mode>                                \
  void get_##mode(const BlasCall &call, Mode *out) {   \
    require(out != nullptr);                           \
    *out = Mode(call.handle->mode);                    \
  }
PORTER_BLAS_MODE(pointer_mode, number == 0 || number == 1)
PORTER_BLAS_MODE(atomics_mode, number == 0 || number == 1)
PORTER_BLAS_MODE(math_mode, number >= 0 && number <= 31)
#undef PORTER_BLAS_MODE

}  // namespace porter_sim::blas
