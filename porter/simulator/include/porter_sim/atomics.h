// Atomic functions of every type CUDA and HIP have them for, as sequentially consistent host atomics.
#pragma once

#include "porter_sim/waiting.h"

namespace porter_sim {

// A thread that keeps on at one word may be waiting for another thread: now and then it lets the others run.
struct Persistence {
  const volatile void *word;
  unsigned count;
};
extern PORTER_TLS Persistence persistence;
void let_others_run();
PORTER_INLINE void touch_atomic(const volatile void *word) {
  constexpr unsigned patience = 256;
  if (persistence.word != word) persistence = {word, 0};
  if (__builtin_expect(++persistence.count == patience, 0)) let_others_run();
}

template <size_t size>
struct WordOf;
template <>
struct WordOf<1> {
  using type = uint8_t;
};
template <>
struct WordOf<2> {
  using type = uint16_t;
};
template <>
struct WordOf<4> {
  using type = uint32_t;
};
template <>
struct WordOf<8> {
  using type = uint64_t;
};

template <class To, class From>
PORTER_INLINE To bit_copy(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "bits are copied between types of one size");
  To to;
  __builtin_memcpy((void *)&to, &from, sizeof(To));
  return to;
}

// Replaces *address by change(old) through compare-and-swap on its word; returns the old value.
template <class T, class Change>
PORTER_INLINE T atomic_update(T *address, Change change) {
  using Word = typename WordOf<sizeof(T)>::type;
  typedef Word __attribute__((may_alias)) AliasingWord;
  auto *word = reinterpret_cast<AliasingWord *>(address);
  touch_atomic(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (true) {
    T value = bit_copy<T>(old);
    Word desired = bit_copy<Word>(T(change(value)));
    if (__atomic_compare_exchange_n(word, &old, desired, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return value;
  }
}

template <class T>
struct Identity {
  using type = T;
};
// Keeps a parameter out of deduction, so that atomicAdd(float*, int) converts as it does in CUDA.
template <class T>
using same_as = typename Identity<T>::type;

// Larger vectors are added number by number, each of them at once: CUDA promises no more.
inline float2 atomic_add(float2 *address, float2 value);
inline float4 atomic_add(float4 *address, float4 value);

template <class T>
PORTER_INLINE T atomic_add(T *address, T value) {
  if constexpr (std::is_integral_v<T>) {
    touch_atomic(address);
    return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
  } else {
    return atomic_update(address, [value](T old) { return old + value; });
  }
}

inline float2 atomic_add(float2 *address, float2 value) {
  return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y)};
}
inline float4 atomic_add(float4 *address, float4 value) {
  return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y), atomic_add(&address->z, value.z),
          atomic_add(&address->w, value.w)};
}

}  // namespace porter_sim

#define PORTER_ATOMIC(name, body)                                                      \
  template <class T>                                                                   \
  PORTER_INLINE T name(T *address, ::porter_sim::same_as<T> value) body                \
  template <class T>                                                                   \
  PORTER_INLINE T name(volatile T *address, ::porter_sim::same_as<T> value) {          \
    return name(const_cast<T *>(address), value);                                      \
  }                                                                                    \
  template <class T>                                                                   \
  PORTER_INLINE T name##_block(T *address, ::porter_sim::same_as<T> value) {           \
    return name(address, value);                                                       \
  }                                                                                    \
  template <class T>                                                                   \
  PORTER_INLINE T name##_system(T *address, ::porter_sim::same_as<T> value) {          \
    return name(address, value);                                                       \
  }

PORTER_ATOMIC(atomicAdd, { return ::porter_sim::atomic_add(address, value); })
PORTER_ATOMIC(unsafeAtomicAdd, { return ::porter_sim::atomic_add(address, value); })
PORTER_ATOMIC(atomicSub, { return ::porter_sim::atomic_update(address, [value](T old) { return old - value; }); })
PORTER_ATOMIC(atomicExch, { return ::porter_sim::atomic_update(address, [value](T) { return value; }); })
PORTER_ATOMIC(atomicMin, {
  return ::porter_sim::atomic_update(address, [value](T old) { return value < old ? value : old; });
})
PORTER_ATOMIC(atomicMax, {
  return ::porter_sim::atomic_update(address, [value](T old) { return old < value ? value : old; });
})
PORTER_ATOMIC(atomicAnd, { return ::porter_sim::atomic_update(address, [value](T old) { return T(old & value); }); })
PORTER_ATOMIC(atomicOr, { return ::porter_sim::atomic_update(address, [value](T old) { return T(old | value); }); })
PORTER_ATOMIC(atomicXor, { return ::porter_sim::atomic_update(address, [value](T old) { return T(old ^ value); }); })
PORTER_ATOMIC(atomicInc, {
  return ::porter_sim::atomic_update(address, [value](T old) { return old >= value ? T(0) : T(old + 1); });
})
PORTER_ATOMIC(atomicDec, {
  return ::porter_sim::atomic_update(address, [value](T old) { return old == 0 || old > value ? value : T(old - 1); });
})
#undef PORTER_ATOMIC

template <class T>
PORTER_INLINE T atomicCAS(T *address, ::porter_sim::same_as<T> compare, ::porter_sim::same_as<T> value) {
  using Word = typename ::porter_sim::WordOf<sizeof(T)>::type;
  typedef Word __attribute__((may_alias)) AliasingWord;
  ::porter_sim::touch_atomic(address);
  Word expected = ::porter_sim::bit_copy<Word>(compare);
  __atomic_compare_exchange_n(reinterpret_cast<AliasingWord *>(address), &expected,
                              ::porter_sim::bit_copy<Word>(value), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return ::porter_sim::bit_copy<T>(expected);
}
template <class T>
PORTER_INLINE T atomicCAS(volatile T *address, ::porter_sim::same_as<T> compare, ::porter_sim::same_as<T> value) {
  return atomicCAS(const_cast<T *>(address), compare, value);
}
template <class T>
PORTER_INLINE T atomicCAS_block(T *address, ::porter_sim::same_as<T> compare, ::porter_sim::same_as<T> value) {
  return atomicCAS(address, compare, value);
}
template <class T>
PORTER_INLINE T atomicCAS_system(T *address, ::porter_sim::same_as<T> compare, ::porter_sim::same_as<T> value) {
  return atomicCAS(address, compare, value);
}
