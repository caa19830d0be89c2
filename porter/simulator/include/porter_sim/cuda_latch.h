// cuda::latch: a barrier of one phase.
#pragma once

#include "porter_sim/cuda_atomic.h"

namespace cuda {

template <thread_scope Scope>
class latch {
 public:
  constexpr explicit latch(ptrdiff_t count) : left_(count) {}
  void count_down(ptrdiff_t count = 1) { left_.fetch_sub(count); }
  bool try_wait() const { return left_.load() == 0; }
  void wait(PORTER_HERE) const {
    ::porter_sim::wait_until(::porter_sim::Until::world, [&] { return try_wait(); }, porter_file, porter_line);
  }
  void arrive_and_wait(ptrdiff_t count = 1, PORTER_HERE) {
    count_down(count);
    wait(porter_file, porter_line);
  }

 private:
  atomic<ptrdiff_t, Scope> left_;
};

namespace std {
using latch = ::cuda::latch<thread_scope_system>;
}

}  // namespace cuda
