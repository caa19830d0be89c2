// A group's copy, shared out among its threads; whoever reads it waits for the group first.
#pragma once
#include "cooperative_groups.h"
namespace cooperative_groups {
template <class Group, class T>
PORTER_D inline void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    for (size_t k = group.thread_rank(); k < bytes / sizeof(T); k += group.size()) to[k] = from[k];
}
template <class Group> PORTER_D inline void wait(const Group& group) { group.sync(); }
}  // namespace cooperative_groups
