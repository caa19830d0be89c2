// PTX's loads, stores and atomics by address; shared addresses are offsets in the block's shared memory.
#pragma once

#include "porter_sim/async_copy.h"
#include "porter_sim/phase_word.h"
#include "porter_sim/ptx.h"

namespace porter_sim {
namespace ptx {

inline char *pointer(uint64_t address, int64_t offset) { return reinterpret_cast<char *>(address + uint64_t(offset)); }
inline char *shared_pointer(uint64_t address, int64_t offset) {
  return static_cast<char *>(shared_address(size_t(address))) + offset;
}
template <class Word>
Word to_shared(Word address) {
  return Word(shared_offset(reinterpret_cast<const void *>(uint64_t(address))));
}
template <class Word>
Word from_shared(Word address) {
  return Word(reinterpret_cast<uint64_t>(shared_address(size_t(address))));
}

inline void check_aligned(const char *at, size_t bytes, const char *file, int line) {
  if (reinterpret_cast<size_t>(at) % bytes) device_trap("SIM052", "an address that is no multiple of the access's size", file, line);
}
// Number `index` of a vector of `count`.
template <class T>
T load(const char *at, unsigned index, unsigned count, const char *file, int line) {
  check_aligned(at, sizeof(T) * count, file, line);
  T value;
  __builtin_memcpy(&value, at + sizeof(T) * index, sizeof(T));
  return value;
}
template <class T>
void store(char *at, unsigned index, unsigned count, T value, const char *file, int line) {
  check_aligned(at, sizeof(T) * count, file, line);
  __builtin_memcpy(at + sizeof(T) * index, &value, sizeof(T));
}

#define PORTER_ATOMIC(name, expression)                                       \
  template <class T>                                                          \
  T atomic_##name(char *at, T value) {                                        \
    return atomic_update(reinterpret_cast<T *>(at), [value](T old) -> T {     \
      return expression;                                                      \
    });                                                                       \
  }
PORTER_ATOMIC(min, ptx::min(old, value))
PORTER_ATOMIC(max, ptx::max(old, value))
PORTER_ATOMIC(and_, T(old &value))
PORTER_ATOMIC(or_, T(old | value))
PORTER_ATOMIC(xor_, T(old ^ value))
PORTER_ATOMIC(inc, old >= value ? T(0) : T(old + 1))
PORTER_ATOMIC(dec, old == 0 || old > value ? value : T(old - 1))
PORTER_ATOMIC(exch, value)
#undef PORTER_ATOMIC
template <class T>
T atomic_add(char *at, T value) {
  return atomic_update(reinterpret_cast<T *>(at), [value](T old) -> T {
    if constexpr (std::is_integral_v<T>) {
      return ptx::add(old, value);
    } else {
      return ptx::add(old, value, Rounding::nearest);
    }
  });
}
template <class T>
T atomic_cas(char *at, T compare, T value) {
  return ::atomicCAS(reinterpret_cast<T *>(at), compare, value);
}

inline PhaseWord *barrier_at(char *at) { return reinterpret_cast<PhaseWord *>(at); }

}  // namespace ptx
}  // namespace porter_sim
