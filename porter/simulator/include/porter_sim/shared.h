// `__shared__`: storage of the running block, poisoned before each block.
#pragma once

#include "porter_sim/execution.h"

namespace porter_sim {

// One `__shared__` declaration. Each worker has its own, so that a block finds its storage with one compare.
struct SharedSlot {
  const char *name;
  const char *file;
  int line;
  unsigned long long block;  // serial number of the block that `address` belongs to
  void *address;
};

extern PORTER_TLS unsigned long long block_serial;
extern PORTER_TLS void *dynamic_shared;
extern PORTER_TLS unsigned dynamic_shared_bytes;

void place_shared(SharedSlot &slot, size_t bytes, size_t alignment);

// What `alignas` asks for, which takes a number or a type.
template <size_t alignment>
constexpr size_t alignment_asked() {
  return alignment;
}
template <class T>
constexpr size_t alignment_asked() {
  return alignof(T);
}

template <class T>
PORTER_INLINE T &shared(SharedSlot &slot, size_t alignment = alignof(T)) {
  if (slot.block != block_serial) place_shared(slot, sizeof(T), alignment);
  return *static_cast<T *>(slot.address);
}

template <class T>
PORTER_INLINE T &shared_dynamic() {
  return *static_cast<T *>(dynamic_shared);
}

// `extern __shared__ T x[];` at namespace scope: looks like the pointer it decays to.
template <class Array>
struct DynamicShared {
  using Element = std::remove_extent_t<Array>;
  operator Element *() const { return static_cast<Element *>(dynamic_shared); }
  template <class U>
  explicit operator U *() const {
    return static_cast<U *>(dynamic_shared);
  }
};

// `__shared__ T x;` at namespace scope: looks like a T, or like the pointer that an array decays to.
template <class T, SharedSlot &slot>
struct FileShared {
  T &get() const { return shared<T>(slot); }
  operator T &() const { return get(); }
  T &operator=(const T &value) const { return get() = value; }
  T *operator&() const { return &get(); }
};
template <class Element, size_t n, SharedSlot &slot>
struct FileShared<Element[n], slot> {
  operator Element *() const { return shared<Element[n]>(slot); }
};

}  // namespace porter_sim

#define PORTER_SHARED(type, name)                                                                   \
  static thread_local ::porter_sim::SharedSlot porter_slot_##name = {#name, __FILE__, __LINE__, 0, 0}; \
  auto &name = ::porter_sim::shared<type>(porter_slot_##name, alignof(type))
