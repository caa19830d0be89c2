// cuda::barrier and the copies that arrive at one, over atomics in shared or device memory; added by porter.
//
// A waiting thread looks again and again. Lanes of one wavefront run in step on AMD's GPUs, so a thread must not wait
// for an arrival by a lane of its own 64 that comes later in the program: where the threads of a block have different
// roles, the border between roles must be a multiple of 64 threads. There are no completion functions.
#ifndef PORTER_BARRIER_H
#define PORTER_BARRIER_H

#include "porter_atomic.h"
#include "porter_copy.h"

namespace porter_cuda {

namespace detail {
struct NoCompletion {};
}  // namespace detail

// One 64-bit word holds the phase in its upper half and the arrivals still to come, plus a bias, in its lower half. The
// arrival that leaves none adds the next phase's, in one addition: arrivals that came meanwhile are not lost, and the
// bias keeps them from borrowing from the phase.
template <thread_scope Scope, class Completion = detail::NoCompletion>
class barrier {
  static_assert(std::is_same_v<Completion, detail::NoCompletion>, "barriers with a completion function are not ported");
  using Word = unsigned long long;
  static constexpr Word bias = 1ull << 31;
  static constexpr Word next_phase = 1ull << 32;

 public:
  using arrival_token = unsigned;
  barrier() = default;
  __host__ __device__ explicit barrier(ptrdiff_t count) { open(count); }
  barrier(const barrier&) = delete;
  static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
  __host__ __device__ friend void init(barrier* self, ptrdiff_t count) { self->open(count); }

  __device__ arrival_token arrive(ptrdiff_t count = 1) {
    const Word before = word().fetch_sub(Word(count), memory_order_acq_rel);
    Word left = low(before) - Word(count);
    while (left == bias) {
      const Word members = atomic_ref<unsigned, Scope>(expected_).load(memory_order_relaxed);
      if (members == 0) break;
      left = low(word().fetch_add(next_phase + members, memory_order_acq_rel)) + members;
    }
    return phase(before);
  }
  __device__ void wait(arrival_token token) const {
    while (phase_now() == token) detail::pause();
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    atomic_ref<unsigned, Scope>(expected_).fetch_sub(1u, memory_order_relaxed);
    arrive();
  }
  __device__ void wait_parity(bool parity) const {
    while ((phase_now() & 1u) == unsigned(parity)) detail::pause();
  }
  __device__ bool try_wait(arrival_token token) const { return phase_now() != token; }
  __device__ bool try_wait_parity(bool parity) const { return (phase_now() & 1u) != unsigned(parity); }
  // How many phases are over, modulo 2^32.
  __device__ unsigned phase_now() const { return phase(word().load(memory_order_acquire)); }

 private:
  __host__ __device__ void open(ptrdiff_t count) {
    expected_ = unsigned(count);
    word_ = bias + Word(count);
  }
  __device__ atomic_ref<Word, Scope> word() const { return atomic_ref<Word, Scope>(word_); }
  __device__ static unsigned phase(Word word) { return unsigned(word >> 32); }
  __device__ static Word low(Word word) { return word & 0xffffffffull; }

  mutable Word word_;
  mutable unsigned expected_;
};

template <class To, class From, class Size, thread_scope Scope>
__device__ inline void memcpy_async(To* to, const From* from, Size bytes, barrier<Scope>&) {
  detail::copy<detail::promised<Size>>(to, from, static_cast<size_t>(bytes));
}
template <class Group, class To, class From, class Size, thread_scope Scope>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes, barrier<Scope>&) {
  porter_cg_memcpy_async(group, to, from, bytes);
}

}  // namespace porter_cuda

#endif
