// HIP's atomic builtins with an order and a scope. Every operation is sequentially consistent, which all orders allow;
// what is not relaxed also tells the checker of races that threads have met.
#pragma once

#include "porter_sim/atomics.h"

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

namespace porter_sim {

template <class T>
using unqualified = std::remove_cv_t<T>;

PORTER_INLINE void note_atomic_order(int order) {
  if (order != __ATOMIC_RELAXED) note_order();
}
template <class T>
PORTER_INLINE unqualified<T> atomic_load(T *address, int order) {
  using Word = typename WordOf<sizeof(T)>::type;
  typedef Word __attribute__((may_alias)) AliasingWord;
  touch_atomic(address);
  auto value = bit_copy<unqualified<T>>(Word(__atomic_load_n(
      reinterpret_cast<AliasingWord *>(const_cast<unqualified<T> *>(address)), __ATOMIC_SEQ_CST)));
  note_atomic_order(order);
  return value;
}
template <class T, class Change>
PORTER_INLINE unqualified<T> atomic_changed(T *address, int order, Change change) {
  note_atomic_order(order);
  auto before = atomic_update(const_cast<unqualified<T> *>(address), change);
  note_atomic_order(order);
  return before;
}
template <class T>
PORTER_INLINE bool atomic_compare_exchange(T *address, unqualified<T> *expected, same_as<unqualified<T>> desired, int order) {
  note_atomic_order(order);
  auto before = ::atomicCAS(const_cast<unqualified<T> *>(address), *expected, desired);
  note_atomic_order(order);
  bool same = __builtin_memcmp(&before, expected, sizeof(T)) == 0;
  *expected = before;
  return same;
}

}  // namespace porter_sim

#define PORTER_CHANGED(address, order, expression)                                              \
  ::porter_sim::atomic_changed(address, order, [&](auto porter_old) {                           \
    using Number = decltype(porter_old);                                                        \
    return Number(expression);                                                                  \
  })
#define __hip_atomic_load(address, order, scope) ::porter_sim::atomic_load(address, order)
#define __hip_atomic_store(address, value, order, scope) (void)PORTER_CHANGED(address, order, value)
#define __hip_atomic_exchange(address, value, order, scope) PORTER_CHANGED(address, order, value)
#define __hip_atomic_compare_exchange_strong(address, expected, desired, order, failed, scope) \
  ::porter_sim::atomic_compare_exchange(address, expected, desired, order)
#define __hip_atomic_compare_exchange_weak(address, expected, desired, order, failed, scope) \
  ::porter_sim::atomic_compare_exchange(address, expected, desired, order)
#define __hip_atomic_fetch_add(address, value, order, scope) PORTER_CHANGED(address, order, porter_old + (value))
#define __hip_atomic_fetch_sub(address, value, order, scope) PORTER_CHANGED(address, order, porter_old - (value))
#define __hip_atomic_fetch_and(address, value, order, scope) PORTER_CHANGED(address, order, porter_old & (value))
#define __hip_atomic_fetch_or(address, value, order, scope) PORTER_CHANGED(address, order, porter_old | (value))
#define __hip_atomic_fetch_xor(address, value, order, scope) PORTER_CHANGED(address, order, porter_old ^ (value))
#define __hip_atomic_fetch_min(address, value, order, scope) \
  PORTER_CHANGED(address, order, Number(value) < porter_old ? Number(value) : porter_old)
#define __hip_atomic_fetch_max(address, value, order, scope) \
  PORTER_CHANGED(address, order, porter_old < Number(value) ? Number(value) : porter_old)
