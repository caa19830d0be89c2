// AddressSanitizer's interface, or nothing where the program is built without it.
#pragma once

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define PORTER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PORTER_ASAN 1
#endif
#endif

#ifdef PORTER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace porter_sim {

#ifdef PORTER_ASAN
constexpr size_t redzone_bytes = 32;
inline void forbid(const void *memory, size_t bytes) { __asan_poison_memory_region(memory, bytes); }
inline void allow(const void *memory, size_t bytes) { __asan_unpoison_memory_region(memory, bytes); }
#else
constexpr size_t redzone_bytes = 0;
inline void forbid(const void *, size_t) {}
inline void allow(const void *, size_t) {}
#endif

}  // namespace porter_sim
