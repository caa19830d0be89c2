// The solver's handle, and what its functions share: sizes of workspaces, the device's status.
#pragma once

#include <algorithm>
#include <vector>

#include "call.h"
#include "solver/lapack_calls.h"

namespace porter_sim::solver {

struct Handle {
  void *stream;
};

inline void create(const Call &, void **out) {
  require(out != nullptr);
  *out = new Handle{};
}
inline Handle &of(void *handle) {
  require(handle != nullptr, Code::not_initialized);
  return *static_cast<Handle *>(handle);
}
inline void destroy(const Call &, void *handle) { delete &of(handle); }
inline void set_stream(const Call &, void *handle, void *stream) { of(handle).stream = stream; }
inline void get_stream(const Call &, void *handle, void **out) {
  require(out != nullptr);
  *out = of(handle).stream;
}

inline void require_stride(int stride, int rows) { require(stride >= std::max(1, rows)); }

// LAPACK brings its own memory, so any size will do; what was asked for must be given.
inline int workspace(int n) { return std::max(1, n); }
inline void answer_size(void *handle, int *out, int n) {
  of(handle);
  require(out && n >= 0);
  *out = workspace(n);
}

// A negative status is an argument that the checks should have refused.
inline void finish(const Call &call, int *info, int status) {
  require(info != nullptr);
  call.reach(info, 1);
  *info = status;
}

}  // namespace porter_sim::solver
