// CUDA's pipeline primitives, over the simulator.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
#include "porter_sim/async_copy.h"

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0, PORTER_HERE) {
  ::porter_sim::start_copy(to, from, unsigned(bytes), unsigned(zeros), porter_file, porter_line);
}
inline void __pipeline_commit() { ::porter_sim::close_copies(); }
inline void __pipeline_wait_prior(size_t pending) { ::porter_sim::wait_for_copies(unsigned(pending)); }
