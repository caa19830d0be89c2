// cuda::pipeline: stages that producers fill and consumers empty, each with two barriers.
#pragma once

#include "porter_sim/cuda_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  ::porter_sim::PhaseWord full[Stages];
  ::porter_sim::PhaseWord empty[Stages];
};

// Without shared state (thread scope) copies are over at once and nothing is waited for.
template <thread_scope Scope>
class pipeline {
 public:
  pipeline() = default;
  pipeline(::porter_sim::PhaseWord *full, ::porter_sim::PhaseWord *empty, unsigned stages)
      : full_(full), empty_(empty), stages_(stages) {}

  void producer_acquire(PORTER_HERE) {
    if (full_ && filled_ >= stages_) wait(empty_, filled_ - stages_, porter_file, porter_line);
  }
  void producer_commit(PORTER_HERE) {
    if (full_) full_[filled_ % stages_].arrive(1, 0, porter_file, porter_line);
    ++filled_;
  }
  void consumer_wait(PORTER_HERE) {
    if (full_) wait(full_, emptied_, porter_file, porter_line);
  }
  void consumer_release(PORTER_HERE) {
    if (full_) empty_[emptied_ % stages_].arrive(1, 0, porter_file, porter_line);
    ++emptied_;
  }
  bool quit() { return true; }
  // Waits for all but the last `prior` stages that were committed.
  void wait_prior(unsigned prior, const char *file, int line) {
    if (full_ && filled_ > prior) wait(full_, filled_ - prior - 1, file, line);
  }

 private:
  void wait(::porter_sim::PhaseWord *words, unsigned use, const char *file, int line) {
    auto over = [&] { return int(words[use % stages_].phase_now() - use / stages_) > 0; };
    ::porter_sim::wait_until(::porter_sim::Until::block, over, file, line);
  }

  ::porter_sim::PhaseWord *full_ = nullptr, *empty_ = nullptr;
  unsigned stages_ = 1, filled_ = 0, emptied_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> open_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, unsigned producers,
                              unsigned consumers, const char *file, int line) {
  if (group.thread_rank() == 0) {
    for (unsigned stage = 0; stage < Stages; ++stage) state->full[stage].open(producers), state->empty[stage].open(consumers);
  }
  group.sync(file, line);
  return {state->full, state->empty, Stages};
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, PORTER_HERE) {
  unsigned size = unsigned(group.size());
  return open_pipeline(group, state, size, size, porter_file, porter_line);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, size_t producers, PORTER_HERE) {
  return open_pipeline(group, state, unsigned(producers), unsigned(group.size() - producers), porter_file, porter_line);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role, PORTER_HERE) {
  bool produces = role == pipeline_role::producer;
  unsigned count = unsigned(::porter_sim::block_barrier(::porter_sim::Vote::count, produces, porter_file, porter_line));
  return open_pipeline(group, state, count, unsigned(group.size()) - count, porter_file, porter_line);
}

template <unsigned char Prior, thread_scope Scope>
void pipeline_consumer_wait_prior(pipeline<Scope> &self, PORTER_HERE) {
  self.wait_prior(Prior, porter_file, porter_line);
}
template <thread_scope Scope, thread_scope Other>
void pipeline_producer_commit(pipeline<Scope> &self, barrier<Other> &) {
  self.producer_commit();
}

template <class Size, thread_scope Scope>
void memcpy_async(void *to, const void *from, Size bytes, pipeline<Scope> &) {
  memcpy(to, from, size_t(bytes));
}
template <class T, class Size, thread_scope Scope>
void memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &) {
  memcpy((void *)to, (const void *)from, size_t(bytes));
}
template <class Group, class Size, thread_scope Scope>
void memcpy_async(const Group &group, void *to, const void *from, Size bytes, pipeline<Scope> &) {
  cooperative_groups::copy_share(group, to, from, size_t(bytes));
}

}  // namespace cuda
