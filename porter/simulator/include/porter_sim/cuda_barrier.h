// cuda::barrier and the copies that arrive at one.
#pragma once

#include "porter_sim/cuda_atomic.h"
#include "porter_sim/group_copy.h"
#include "porter_sim/phase_word.h"

namespace cuda {

namespace std {
struct __empty_completion {
  void operator()() const {}
};
}  // namespace std

template <thread_scope Scope, class Completion = std::__empty_completion>
class barrier {
  static_assert(::std::is_same_v<Completion, std::__empty_completion>, "barriers with a completion function are not simulated");

 public:
  using arrival_token = unsigned;
  barrier() = default;
  explicit barrier(ptrdiff_t count) { word_.open(unsigned(count)); }
  barrier(const barrier &) = delete;
  static constexpr ptrdiff_t max() { return ptrdiff_t(::porter_sim::PhaseWord::field); }
  friend void init(barrier *self, ptrdiff_t count) { self->word_.open(unsigned(count)); }

  arrival_token arrive(ptrdiff_t count = 1, PORTER_HERE) { return word_.arrive(unsigned(count), 0, porter_file, porter_line); }
  void wait(arrival_token token, PORTER_HERE) const {
    ::porter_sim::wait_until(until, [&] { return word_.passed(token); }, porter_file, porter_line);
  }
  void arrive_and_wait(PORTER_HERE) { wait(arrive(1, porter_file, porter_line), porter_file, porter_line); }
  void arrive_and_drop(PORTER_HERE) { word_.arrive(1, 1, porter_file, porter_line); }
  void wait_parity(bool parity, PORTER_HERE) const {
    ::porter_sim::wait_until(until, [&] { return word_.passed_parity(parity); }, porter_file, porter_line);
  }
  // One look; the others run first, so that a loop of looks comes to an end.
  bool try_wait(arrival_token token, PORTER_HERE) const {
    ::porter_sim::pause(::porter_sim::Until::world, false, porter_file, porter_line);
    return word_.passed(token);
  }
  bool try_wait_parity(bool parity, PORTER_HERE) const {
    ::porter_sim::pause(::porter_sim::Until::world, false, porter_file, porter_line);
    return word_.passed_parity(parity);
  }
  template <class Duration>
  bool try_wait_for(arrival_token token, const Duration &, PORTER_HERE) const {
    return try_wait(token, porter_file, porter_line);
  }

 private:
  static constexpr auto until = Scope == thread_scope_block ? ::porter_sim::Until::block : ::porter_sim::Until::world;
  ::porter_sim::PhaseWord word_;
};

namespace std {
template <class Completion = __empty_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}

namespace device {
template <thread_scope Scope>
unsigned long long *barrier_native_handle(barrier<Scope> &self) {
  return reinterpret_cast<unsigned long long *>(&self);
}
// Copies are over when they are called for, so their bytes need not be waited for.
template <thread_scope Scope>
unsigned barrier_arrive_tx(barrier<Scope> &self, ptrdiff_t count, ptrdiff_t, PORTER_HERE) {
  return self.arrive(count, porter_file, porter_line);
}
template <thread_scope Scope>
void barrier_expect_tx(barrier<Scope> &, ptrdiff_t) {}
template <class Size, thread_scope Scope>
void memcpy_async_tx(void *to, const void *from, Size bytes, barrier<Scope> &) {
  memcpy(to, from, size_t(bytes));
}
}  // namespace device

template <class Size, thread_scope Scope>
void memcpy_async(void *to, const void *from, Size bytes, barrier<Scope> &) {
  memcpy(to, from, size_t(bytes));
}
template <class T, class Size, thread_scope Scope>
void memcpy_async(T *to, const T *from, Size bytes, barrier<Scope> &) {
  memcpy((void *)to, (const void *)from, size_t(bytes));
}
template <class Group, class Size, thread_scope Scope>
void memcpy_async(const Group &group, void *to, const void *from, Size bytes, barrier<Scope> &) {
  cooperative_groups::copy_share(group, to, from, size_t(bytes));
}

}  // namespace cuda
