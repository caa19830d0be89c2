// cuda::atomic and cuda::atomic_ref over HIP's atomics with an order and a scope; added by porter.
//
// An atomic holds nothing but its value, so that it can stand in memory that was never constructed. Values have 4 or 8
// bytes. Host code works on memory that it can reach, with the same orders. `wait` looks again and again: lanes of one
// wavefront must not wait for each other, because AMD's GPUs run them in step.
#ifndef PORTER_ATOMIC_H
#define PORTER_ATOMIC_H

#include <hip/hip_runtime.h>

#include <stddef.h>

#include <type_traits>

namespace porter_cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

namespace detail {

template <thread_scope Scope>
inline constexpr int hip_scope = Scope == thread_scope_system   ? __HIP_MEMORY_SCOPE_SYSTEM
                                 : Scope == thread_scope_device ? __HIP_MEMORY_SCOPE_AGENT
                                 : Scope == thread_scope_block  ? __HIP_MEMORY_SCOPE_WORKGROUP
                                                                : __HIP_MEMORY_SCOPE_SINGLETHREAD;

// What a load, and an exchange that fails, can have of an order.
__host__ __device__ constexpr int order_of_load(int order) {
  return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

// Lets other wavefronts run between two looks.
__host__ __device__ inline void pause() {
#if defined(__AMDGCN__)
  __builtin_amdgcn_s_sleep(1);
#endif
}

template <size_t Bytes>
struct WordOf;
template <>
struct WordOf<4> {
  using type = unsigned;
};
template <>
struct WordOf<8> {
  using type = unsigned long long;
};

// Integers are exchanged as they are, other types as words.
template <class T>
using Held = std::conditional_t<std::is_integral_v<T>, T, typename WordOf<sizeof(T)>::type>;

template <class To, class From>
__host__ __device__ inline To bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>, "an atomic holds plain bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define PORTER_ON_WORD(name, ...) __hip_atomic_##name(__VA_ARGS__, hip_scope<Scope>)
#else
#define PORTER_ON_WORD(name, ...) PORTER_HOST_##name(__VA_ARGS__)
#define PORTER_HOST_load __atomic_load_n
#define PORTER_HOST_store __atomic_store_n
#define PORTER_HOST_exchange __atomic_exchange_n
#define PORTER_HOST_fetch_add __atomic_fetch_add
#define PORTER_HOST_fetch_sub __atomic_fetch_sub
#define PORTER_HOST_fetch_and __atomic_fetch_and
#define PORTER_HOST_fetch_or __atomic_fetch_or
#define PORTER_HOST_fetch_xor __atomic_fetch_xor
#define PORTER_HOST_fetch_min __atomic_fetch_min
#define PORTER_HOST_fetch_max __atomic_fetch_max
#define PORTER_HOST_compare_exchange_strong(word, expected, desired, order, failed) \
  __atomic_compare_exchange_n(word, expected, desired, false, order, failed)
#endif

}  // namespace detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "AMD's GPUs have atomics of 4 and 8 bytes");
  using Held = detail::Held<T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  __host__ __device__ explicit atomic_ref(T& object) : word_(reinterpret_cast<Held*>(&object)) {}

  __host__ __device__ T load(memory_order order = memory_order_seq_cst) const {
    using detail::hip_scope;
    return detail::bits<T>(Held(PORTER_ON_WORD(load, word_, detail::order_of_load(order))));
  }
  __host__ __device__ void store(T value, memory_order order = memory_order_seq_cst) const {
    using detail::hip_scope;
    const Held held = detail::bits<Held>(value);
    PORTER_ON_WORD(store, word_, held, int(order));
  }
  __host__ __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const {
    using detail::hip_scope;
    const Held held = detail::bits<Held>(value);
    return detail::bits<T>(Held(PORTER_ON_WORD(exchange, word_, held, int(order))));
  }
  // Bits are compared, as CUDA does: two zeros of different sign differ.
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired, memory_order order, memory_order failed) const {
    using detail::hip_scope;
    using Word = typename detail::WordOf<sizeof(T)>::type;
    Word* word = reinterpret_cast<Word*>(word_);
    Word before = detail::bits<Word>(expected);
    const Word wanted = detail::bits<Word>(desired);
    const bool same =
        PORTER_ON_WORD(compare_exchange_strong, word, &before, wanted, int(order), detail::order_of_load(failed));
    expected = detail::bits<T>(before);
    return same;
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired,
                                                   memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired, memory_order order, memory_order failed) const {
    return compare_exchange_strong(expected, desired, order, failed);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired,
                                                 memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }

#define PORTER_INTEGER_FETCH(name)                                                                   \
  __host__ __device__ T fetch_##name(T value, memory_order order = memory_order_seq_cst) const {     \
    using detail::hip_scope;                                                                         \
    static_assert(std::is_integral_v<T>, "only integers can do that");                               \
    return PORTER_ON_WORD(fetch_##name, word_, value, int(order));                                   \
  }
  PORTER_INTEGER_FETCH(and)
  PORTER_INTEGER_FETCH(or)
  PORTER_INTEGER_FETCH(xor)
#undef PORTER_INTEGER_FETCH

#define PORTER_NUMBER_FETCH(name, expression)                                                        \
  __host__ __device__ T fetch_##name(T value, memory_order order = memory_order_seq_cst) const {     \
    using detail::hip_scope;                                                                         \
    if constexpr (std::is_integral_v<T>) {                                                           \
      return PORTER_ON_WORD(fetch_##name, word_, value, int(order));                                 \
    } else {                                                                                         \
      T old = load(memory_order_relaxed);                                                            \
      while (!compare_exchange_strong(old, T(expression), order, memory_order_relaxed)) {            \
      }                                                                                              \
      return old;                                                                                    \
    }                                                                                                \
  }
  PORTER_NUMBER_FETCH(add, old + value)
  PORTER_NUMBER_FETCH(sub, old - value)
  PORTER_NUMBER_FETCH(min, value < old ? value : old)
  PORTER_NUMBER_FETCH(max, old < value ? value : old)
#undef PORTER_NUMBER_FETCH

  __host__ __device__ T operator++() const { return T(fetch_add(T(1)) + T(1)); }
  __host__ __device__ T operator--() const { return T(fetch_sub(T(1)) - T(1)); }
  __host__ __device__ T operator++(int) const { return fetch_add(T(1)); }
  __host__ __device__ T operator--(int) const { return fetch_sub(T(1)); }
  __host__ __device__ T operator+=(T value) const { return T(fetch_add(value) + value); }
  __host__ __device__ T operator-=(T value) const { return T(fetch_sub(value) - value); }
  __host__ __device__ T operator&=(T value) const { return T(fetch_and(value) & value); }
  __host__ __device__ T operator|=(T value) const { return T(fetch_or(value) | value); }
  __host__ __device__ T operator^=(T value) const { return T(fetch_xor(value) ^ value); }
  __host__ __device__ T operator=(T value) const {
    store(value);
    return value;
  }
  __host__ __device__ operator T() const { return load(); }
  __host__ __device__ bool is_lock_free() const { return true; }
  __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst) const {
    using Word = typename detail::WordOf<sizeof(T)>::type;
    while (detail::bits<Word>(load(order)) == detail::bits<Word>(old)) detail::pause();
  }
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}

 private:
  Held* word_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

#define PORTER_FORWARD(name)                                              \
  template <class... Arguments>                                           \
  __host__ __device__ auto name(Arguments&&... arguments) const {         \
    return ref().name(static_cast<Arguments&&>(arguments)...);            \
  }
  PORTER_FORWARD(load)
  PORTER_FORWARD(store)
  PORTER_FORWARD(exchange)
  PORTER_FORWARD(compare_exchange_strong)
  PORTER_FORWARD(compare_exchange_weak)
  PORTER_FORWARD(fetch_add)
  PORTER_FORWARD(fetch_sub)
  PORTER_FORWARD(fetch_and)
  PORTER_FORWARD(fetch_or)
  PORTER_FORWARD(fetch_xor)
  PORTER_FORWARD(fetch_min)
  PORTER_FORWARD(fetch_max)
  PORTER_FORWARD(is_lock_free)
  PORTER_FORWARD(wait)
  PORTER_FORWARD(notify_one)
  PORTER_FORWARD(notify_all)
#undef PORTER_FORWARD
  __host__ __device__ T operator++() { return ++ref(); }
  __host__ __device__ T operator--() { return --ref(); }
  __host__ __device__ T operator++(int) { return ref()++; }
  __host__ __device__ T operator--(int) { return ref()--; }
  __host__ __device__ T operator+=(T value) { return ref() += value; }
  __host__ __device__ T operator-=(T value) { return ref() -= value; }
  __host__ __device__ T operator&=(T value) { return ref() &= value; }
  __host__ __device__ T operator|=(T value) { return ref() |= value; }
  __host__ __device__ T operator^=(T value) { return ref() ^= value; }
  __host__ __device__ T operator=(T value) { return ref() = value; }
  __host__ __device__ operator T() const { return load(); }

 private:
  __host__ __device__ atomic_ref<T, Scope> ref() const { return atomic_ref<T, Scope>(value_); }
  mutable T value_;
};

#undef PORTER_ON_WORD

__device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  if (scope == thread_scope_block) {
    __threadfence_block();
  } else if (scope == thread_scope_device) {
    __threadfence();
  } else {
    __threadfence_system();
  }
}

}  // namespace porter_cuda

#endif
