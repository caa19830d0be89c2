// Device memory as Thrust asks for it.
#pragma once

#include <new>

#include "porter_sim/api_core.h"

namespace porter_sim {

inline void *thrust_allocate(size_t bytes, bool managed) {
  void *address = nullptr;
  if (api::malloc_device(&address, bytes, managed ? 1 : 0) != 0) throw std::bad_alloc();
  return address;
}
inline void thrust_free(void *address) { api::free_device(address); }

}  // namespace porter_sim
