// cuda::atomic and cuda::atomic_ref. Every operation is sequentially consistent, which all orders allow.
#pragma once

#include "porter_sim/atomics.h"
#include "porter_sim/cuda_std.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

using memory_order = ::std::memory_order;
inline constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
inline constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
inline constexpr memory_order memory_order_release = ::std::memory_order_release;
inline constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
inline constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;

template <class T>
class atomic_operations {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "atomics have 2, 4 or 8 bytes");
  static constexpr auto seq_cst = ::std::memory_order_seq_cst;
  using Order = ::std::memory_order;
  using Word = typename ::porter_sim::WordOf<sizeof(T)>::type;

 public:
  T load(Order = seq_cst) const {
    ::porter_sim::touch_atomic(address_);
    return ::porter_sim::bit_copy<T>(__atomic_load_n(reinterpret_cast<const Word *>(address_), __ATOMIC_SEQ_CST));
  }
  void store(T value, Order = seq_cst) const { exchange(value); }
  T exchange(T value, Order = seq_cst) const {
    return ::porter_sim::atomic_update(address_, [value](T) { return value; });
  }
  bool compare_exchange_strong(T &expected, T desired, Order = seq_cst, Order = seq_cst) const {
    T before = ::atomicCAS(address_, expected, desired);
    bool same = __builtin_memcmp(&before, &expected, sizeof(T)) == 0;
    expected = before;
    return same;
  }
  bool compare_exchange_weak(T &expected, T desired, Order = seq_cst, Order = seq_cst) const {
    return compare_exchange_strong(expected, desired);
  }
#define PORTER_FETCH(name, expression)                                                                  \
  T fetch_##name(T value, Order = seq_cst) const {                                                      \
    return ::porter_sim::atomic_update(address_, [value](T old) { return T(expression); });             \
  }
  PORTER_FETCH(add, old + value)
  PORTER_FETCH(sub, old - value)
  PORTER_FETCH(min, value < old ? value : old)
  PORTER_FETCH(max, old < value ? value : old)
  PORTER_FETCH(and, old &value)
  PORTER_FETCH(or, old | value)
  PORTER_FETCH(xor, old ^ value)
#undef PORTER_FETCH
  T operator++() const { return T(fetch_add(T(1)) + T(1)); }
  T operator--() const { return T(fetch_sub(T(1)) - T(1)); }
  T operator++(int) const { return fetch_add(T(1)); }
  T operator--(int) const { return fetch_sub(T(1)); }
  T operator+=(T value) const { return T(fetch_add(value) + value); }
  T operator-=(T value) const { return T(fetch_sub(value) - value); }
  T operator&=(T value) const { return T(fetch_and(value) & value); }
  T operator|=(T value) const { return T(fetch_or(value) | value); }
  T operator^=(T value) const { return T(fetch_xor(value) ^ value); }
  T operator=(T value) const {
    store(value);
    return value;
  }
  operator T() const { return load(); }
  bool is_lock_free() const { return true; }
  void wait(T old, Order = seq_cst, PORTER_HERE) const {
    ::porter_sim::wait_until(
        ::porter_sim::Until::world,
        [&] {
          T now = load();
          return __builtin_memcmp(&now, &old, sizeof(T)) != 0;
        },
        porter_file, porter_line);
  }
  void notify_one() const {}
  void notify_all() const {}

 protected:
  explicit atomic_operations(T *address) : address_(address) {}
  T *address_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public atomic_operations<T> {
 public:
  explicit atomic_ref(T &object) : atomic_operations<T>(&object) {}
  using atomic_operations<T>::operator=;
};

// Holds nothing but the value, so that it can stand in memory that was set with cudaMemset or never constructed.
template <class T, thread_scope Scope = thread_scope_system>
class atomic {
  using Order = ::std::memory_order;
  static constexpr auto seq_cst = ::std::memory_order_seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
#define PORTER_FORWARD(name)                                                                      \
  template <class... Arguments>                                                                   \
  auto name(Arguments... arguments) const {                                                       \
    return ref().name(arguments...);                                                              \
  }
  PORTER_FORWARD(load)
  PORTER_FORWARD(store)
  PORTER_FORWARD(exchange)
  PORTER_FORWARD(fetch_add)
  PORTER_FORWARD(fetch_sub)
  PORTER_FORWARD(fetch_min)
  PORTER_FORWARD(fetch_max)
  PORTER_FORWARD(fetch_and)
  PORTER_FORWARD(fetch_or)
  PORTER_FORWARD(fetch_xor)
  PORTER_FORWARD(is_lock_free)
  PORTER_FORWARD(notify_one)
  PORTER_FORWARD(notify_all)
#undef PORTER_FORWARD
  bool compare_exchange_strong(T &expected, T desired, Order = seq_cst, Order = seq_cst) const {
    return ref().compare_exchange_strong(expected, desired);
  }
  bool compare_exchange_weak(T &expected, T desired, Order = seq_cst, Order = seq_cst) const {
    return ref().compare_exchange_strong(expected, desired);
  }
  void wait(T old, Order = seq_cst, PORTER_HERE) const { ref().wait(old, seq_cst, porter_file, porter_line); }
  T operator++() { return ++ref(); }
  T operator--() { return --ref(); }
  T operator++(int) { return ref()++; }
  T operator--(int) { return ref()--; }
  T operator+=(T value) { return ref() += value; }
  T operator-=(T value) { return ref() -= value; }
  T operator&=(T value) { return ref() &= value; }
  T operator|=(T value) { return ref() |= value; }
  T operator^=(T value) { return ref() ^= value; }
  T operator=(T value) { return ref() = value; }
  operator T() const { return load(); }

 private:
  atomic_ref<T, Scope> ref() const { return atomic_ref<T, Scope>(value_); }
  mutable T value_;
};

inline void atomic_thread_fence(::std::memory_order, thread_scope = thread_scope_system) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

namespace std {
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
}  // namespace std

}  // namespace cuda
