// memcpy_async of a group: every thread copies its share, so that all of it is there only after the wait.
#pragma once

#include "porter_sim/group_grid.h"

namespace cuda {
template <size_t Alignment>
struct aligned_size_t {
  size_t value;
  explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};
}  // namespace cuda

namespace cooperative_groups {

template <class Group>
void copy_share(const Group &group, void *to, const void *from, size_t bytes) {
  size_t step = group.num_threads() * sizeof(int);
  for (size_t at = group.thread_rank() * sizeof(int); at < bytes; at += step) {
    memcpy(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, std::min(sizeof(int), bytes - at));
  }
}

template <class Group, class To, class From>
void memcpy_async(const Group &group, To *to, const From *from, size_t bytes) {
  copy_share(group, (void *)to, (const void *)from, bytes);
}
template <class Group, class To, class From, size_t Alignment>
void memcpy_async(const Group &group, To *to, const From *from, cuda::aligned_size_t<Alignment> bytes) {
  copy_share(group, (void *)to, (const void *)from, bytes.value);
}
// With layouts as counts of elements: what fits both is copied.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group &group, T *to, const ToLayout &to_layout, const T *from, const FromLayout &from_layout) {
  copy_share(group, (void *)to, (const void *)from, sizeof(T) * std::min<size_t>(to_layout, from_layout));
}
template <class Group>
void wait(const Group &group, PORTER_HERE) {
  group.sync(porter_file, porter_line);
}
template <unsigned Stages, class Group>
void wait_prior(const Group &group, PORTER_HERE) {
  group.sync(porter_file, porter_line);
}

}  // namespace cooperative_groups
