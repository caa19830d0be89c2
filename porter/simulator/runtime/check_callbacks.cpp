// What the compilers call before every access when they instrument for ThreadSanitizer, and for misalignment when they
// instrument for UndefinedBehaviorSanitizer. Their runtimes are not linked; these are the callbacks instead.
#ifdef PORTER_SIM_CHECK

#include <string.h>

#include "block.h"
#include "check_access.h"
#include "checks.h"
#include "lines.h"

namespace porter_sim {
namespace {

PORTER_INLINE void check_access(const void *address, size_t bytes, Doing doing, bool atomic, const void *instruction,
                                const void *frame) {
  auto *byte = static_cast<const char *>(address);
  // threadIdx and its like, and the slots of shared arrays.
  if (size_t(byte - reinterpret_cast<char *>(&threadIdx) + 4096) < 8192) return;
  const Block *block = running_block;
  if (!block) {
    check_host_access(address, {0, bytes, doing, atomic, instruction, frame});
    return;
  }
  const Fiber &fiber = *worker->current;
  if (size_t(byte - fiber.stack_bottom) < size_t(fiber.stack_top - fiber.stack_bottom)) return;
  size_t offset = size_t(byte - block->arena);
  if (offset < arena_bytes) {
    check_shared_access(*block, {offset, bytes, doing, atomic, instruction, frame});
  } else {
    check_global_access(address, {0, bytes, doing, atomic, instruction, frame});
  }
}

}  // namespace
}  // namespace porter_sim

#define PORTER_CALLER __builtin_return_address(0), __builtin_frame_address(0)
#define PORTER_ACCESS(name, bytes, doing)                                                                       \
  void __tsan_##name(void *address) {                                                                           \
    porter_sim::check_access(address, bytes, porter_sim::Doing::doing, false, PORTER_CALLER);                   \
  }
#define PORTER_ACCESSES(bytes)                         \
  PORTER_ACCESS(read##bytes, bytes, read)              \
  PORTER_ACCESS(write##bytes, bytes, write)            \
  PORTER_ACCESS(read_write##bytes, bytes, write)       \
  PORTER_ACCESS(volatile_read##bytes, bytes, read)     \
  PORTER_ACCESS(volatile_write##bytes, bytes, write)   \
  PORTER_ACCESS(unaligned_read##bytes, bytes, read)    \
  PORTER_ACCESS(unaligned_write##bytes, bytes, write)  \
  PORTER_ACCESS(unaligned_read_write##bytes, bytes, write)

#define PORTER_FETCH(bits, T, name)                                                                             \
  T __tsan_atomic##bits##_fetch_##name(volatile T *at, T value, int) {                                          \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::update, true, PORTER_CALLER);    \
    return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                                                  \
  }
#define PORTER_ATOMICS(bits, T)                                                                                 \
  T __tsan_atomic##bits##_load(const volatile T *at, int) {                                                     \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::read, true, PORTER_CALLER);      \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                               \
  }                                                                                                             \
  void __tsan_atomic##bits##_store(volatile T *at, T value, int) {                                              \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::write, true, PORTER_CALLER);     \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                              \
  }                                                                                                             \
  T __tsan_atomic##bits##_exchange(volatile T *at, T value, int) {                                              \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::write, true, PORTER_CALLER);     \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                             \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T *at, T *expected, T desired, int, int) {         \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::update, true, PORTER_CALLER);    \
    return __atomic_compare_exchange_n(at, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
  }                                                                                                             \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T *at, T *expected, T desired, int, int) {           \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::update, true, PORTER_CALLER);    \
    return __atomic_compare_exchange_n(at, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
  }                                                                                                             \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T *at, T expected, T desired, int, int) {               \
    porter_sim::check_access(const_cast<T *>(at), bits / 8, porter_sim::Doing::update, true, PORTER_CALLER);    \
    __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
    return expected;                                                                                            \
  }                                                                                                             \
  PORTER_FETCH(bits, T, add)                                                                                    \
  PORTER_FETCH(bits, T, sub)                                                                                    \
  PORTER_FETCH(bits, T, and)                                                                                    \
  PORTER_FETCH(bits, T, or)                                                                                     \
  PORTER_FETCH(bits, T, xor)                                                                                    \
  PORTER_FETCH(bits, T, nand)

// As both compilers lay them out for -fsanitize=alignment and shift-exponent.
struct PorterType {
  uint16_t kind, info;  // of an integer: twice the logarithm of its bits, and one for a sign
  char name[1];
};
struct PorterMismatch {
  const char *file;
  uint32_t line, column;
  const PorterType *type;
  uint8_t alignment_log2;
  uint8_t kind;
};
struct PorterShift {
  const char *file;
  uint32_t line, column;
  const PorterType *value, *amount;
};

extern "C" {

PORTER_ACCESSES(1)
PORTER_ACCESSES(2)
PORTER_ACCESSES(4)
PORTER_ACCESSES(8)
PORTER_ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes) {
  porter_sim::check_access(address, bytes, porter_sim::Doing::read, false, PORTER_CALLER);
}
void __tsan_write_range(void *address, size_t bytes) {
  porter_sim::check_access(address, bytes, porter_sim::Doing::write, false, PORTER_CALLER);
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  if (bytes) porter_sim::check_access(from, bytes, porter_sim::Doing::read, false, PORTER_CALLER);
  if (bytes) porter_sim::check_access(to, bytes, porter_sim::Doing::write, false, PORTER_CALLER);
  return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  if (bytes) porter_sim::check_access(from, bytes, porter_sim::Doing::read, false, PORTER_CALLER);
  if (bytes) porter_sim::check_access(to, bytes, porter_sim::Doing::write, false, PORTER_CALLER);
  return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes) {
  if (bytes) porter_sim::check_access(to, bytes, porter_sim::Doing::write, false, PORTER_CALLER);
  return memset(to, value, bytes);
}

PORTER_ATOMICS(8, uint8_t)
PORTER_ATOMICS(16, uint16_t)
PORTER_ATOMICS(32, uint32_t)
PORTER_ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void **) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

void __ubsan_handle_type_mismatch_v1(PorterMismatch *mismatch, void *address) {
  enum { load, store, reference };
  if (mismatch->kind > reference) return;  // a member of it may well be aligned
  const bool users = !strstr(mismatch->file, "/porter/simulator/");
  porter_sim::SourceLine line{mismatch->file, int(mismatch->line)};
  if (!users) line = porter_sim::line_of_call(PORTER_CALLER);
  porter_sim::check_misaligned(address, line.file, line.line, 1u << mismatch->alignment_log2, mismatch->type->name);
}

void __ubsan_handle_shift_out_of_bounds(PorterShift *shift, uintptr_t, uintptr_t amount) {
  const unsigned unused = 64 - std::min(64u, 1u << (shift->amount->info >> 1));
  const auto signed_amount = (long long)(amount << unused) >> unused;
  porter_sim::check_wide_shift(signed_amount, 1u << (shift->value->info >> 1), PORTER_CALLER);
}

}  // extern "C"

#undef PORTER_ATOMICS
#undef PORTER_FETCH
#undef PORTER_ACCESSES
#undef PORTER_ACCESS
#undef PORTER_CALLER

#endif
