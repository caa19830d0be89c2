// cuda::pipeline: stages that producers fill and consumers empty; added by porter.
//
// Copies are over when they are called for. A pipeline of one thread therefore has nothing to wait for; one that a
// block shares keeps two barriers a stage, whose waits follow the rule in porter_barrier.h: where threads are producers
// or consumers only, the border between them must be a multiple of 64 threads.
#ifndef PORTER_PIPELINE_H
#define PORTER_PIPELINE_H

#include "porter_barrier.h"

namespace porter_cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  barrier<Scope> full[Stages];
  barrier<Scope> empty[Stages];
  unsigned producers;
};

template <thread_scope Scope>
class pipeline {
 public:
  __device__ pipeline() {}
  __device__ pipeline(barrier<Scope>* full, barrier<Scope>* empty, unsigned stages)
      : full_(full), empty_(empty), stages_(stages) {}

  // A stage is free once it was emptied as often as it was filled before.
  __device__ void producer_acquire() {
    if (full_ != nullptr && filled_ >= stages_) wait_for(empty_, filled_ - stages_);
  }
  __device__ void producer_commit() {
    if (full_ != nullptr) full_[filled_ % stages_].arrive();
    ++filled_;
  }
  __device__ void consumer_wait() {
    if (full_ != nullptr) wait_for(full_, emptied_);
  }
  __device__ void consumer_release() {
    if (full_ != nullptr) empty_[emptied_ % stages_].arrive();
    ++emptied_;
  }
  // Waits for all but the last `prior` stages that this thread committed.
  __device__ void wait_prior(unsigned prior) {
    if (full_ != nullptr && filled_ > prior) wait_for(full_, filled_ - prior - 1u);
  }

 private:
  // Until the stage of the `use`-th filling is through its phase of that filling.
  __device__ void wait_for(barrier<Scope>* stages, unsigned use) {
    while (int(stages[use % stages_].phase_now() - use / stages_) <= 0) detail::pause();
  }

  barrier<Scope>* full_ = nullptr;
  barrier<Scope>* empty_ = nullptr;
  unsigned stages_ = 1, filled_ = 0, emptied_ = 0;
};

namespace detail {
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> open_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                unsigned producers, unsigned consumers) {
  if (group.thread_rank() == 0) {
    for (unsigned stage = 0; stage < Stages; ++stage) {
      init(&state->full[stage], producers);
      init(&state->empty[stage], consumers);
    }
  }
  group.sync();
  return pipeline<Scope>(state->full, state->empty, Stages);
}
}  // namespace detail

__device__ inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
  const unsigned size = static_cast<unsigned>(group.size());
  return detail::open_pipeline(group, state, size, size);
}
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                size_t producers) {
  const unsigned count = static_cast<unsigned>(producers);
  return detail::open_pipeline(group, state, count, static_cast<unsigned>(group.size()) - count);
}
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                pipeline_role role) {
  if (group.thread_rank() == 0) state->producers = 0;
  group.sync();
  if (role == pipeline_role::producer) {
    atomic_ref<unsigned, thread_scope_block>(state->producers).fetch_add(1u, memory_order_relaxed);
  }
  group.sync();
  const unsigned count = state->producers;
  return detail::open_pipeline(group, state, count, static_cast<unsigned>(group.size()) - count);
}

template <unsigned char Prior, thread_scope Scope>
__device__ inline void pipeline_consumer_wait_prior(pipeline<Scope>& self) {
  self.wait_prior(Prior);
}

template <class To, class From, class Size, thread_scope Scope>
__device__ inline void memcpy_async(To* to, const From* from, Size bytes, pipeline<Scope>&) {
  detail::copy<detail::promised<Size>>(to, from, static_cast<size_t>(bytes));
}
template <class Group, class To, class From, class Size, thread_scope Scope>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes, pipeline<Scope>&) {
  porter_cg_memcpy_async(group, to, from, bytes);
}

}  // namespace porter_cuda

#endif
