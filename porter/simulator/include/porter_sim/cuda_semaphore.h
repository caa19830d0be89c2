// cuda::counting_semaphore.
#pragma once

#include "porter_sim/cuda_atomic.h"

namespace cuda {

template <thread_scope Scope, ptrdiff_t Most = (1ll << 31) - 1>
class counting_semaphore {
 public:
  constexpr explicit counting_semaphore(ptrdiff_t count) : free_(count) {}
  static constexpr ptrdiff_t max() { return Most; }
  void release(ptrdiff_t count = 1) { free_.fetch_add(count); }
  bool try_acquire() {
    ptrdiff_t seen = free_.load();
    while (seen > 0) {
      if (free_.compare_exchange_strong(seen, seen - 1)) return true;
    }
    return false;
  }
  void acquire(PORTER_HERE) {
    ::porter_sim::wait_until(::porter_sim::Until::world, [&] { return try_acquire(); }, porter_file, porter_line);
  }

 private:
  atomic<ptrdiff_t, Scope> free_;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
template <ptrdiff_t Most = (1ll << 31) - 1>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::counting_semaphore<thread_scope_system, 1>;
}  // namespace std

}  // namespace cuda
