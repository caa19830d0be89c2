// Warp collectives: every lane of a group hands in a value, the last one to arrive computes all results.
#pragma once

#include "porter_sim/execution.h"

namespace porter_sim {

enum class Op : int {
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  active,
  synchronise,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
};

enum class Mask : int {
  none,      // whoever is there: HIP's maskless operations, __activemask
  named,     // CUDA: every lane named in the mask takes part
  checked,   // HIP's _sync: the mask must equal the active lanes
};

enum class Number : int { signed_integer, unsigned_integer, real };

template <class T>
constexpr Number number_of() {
  return std::is_floating_point_v<T> ? Number::real
         : std::is_signed_v<T>       ? Number::signed_integer
                                     : Number::unsigned_integer;
}

// All that is known of a call when it is compiled, in one number. Two calls with the same kind, mask and file are one
// and the same call.
struct CallKind {
  unsigned long long bits;

  constexpr CallKind(Op op, Mask mask_kind, Number number, int width, size_t size, int line)
      : bits((unsigned long long)unsigned(line) << 32 | (unsigned long long)(size & 0xffff) << 16 |
             (unsigned long long)(width & 0x7f) << 9 | (unsigned long long)number << 7 |
             (unsigned long long)mask_kind << 5 | (unsigned long long)op) {}

  constexpr Op op() const { return Op(bits & 31); }
  constexpr Mask mask_kind() const { return Mask(bits >> 5 & 3); }
  constexpr Number number() const { return Number(bits >> 7 & 3); }
  constexpr int width() const { return int(bits >> 9 & 0x7f); }        // segment of a shuffle
  constexpr unsigned size() const { return unsigned(bits >> 16 & 0xffff); }  // bytes of the value
  constexpr int line() const { return int(bits >> 32); }
};
static_assert(int(Op::reduce_xor) < 32, "an operation has five bits");

// One lane's part of a collective. The values of a warp stand side by side, where the last lane to arrive finds them.
struct Collective {
  CallKind kind;
  lane_mask mask;
  const char *file;
  unsigned long long value;  // handed in, then the result; the address of the value if that is larger
  int argument;              // lane, delta or predicate
};

inline constexpr lane_mask all_lanes = ~lane_mask(0) >> (64 - lanes);

// Of the running block's threads, by linear index.
extern PORTER_TLS Collective *lane_records;
extern "C" void porter_sim_collective(CallKind kind, lane_mask mask, const char *file, int argument,
                                      unsigned long long value);

// Waits until the lane's group is complete; what the group made of the values.
PORTER_INLINE unsigned long long collective(CallKind kind, lane_mask mask, const char *file, int argument,
                                            unsigned long long value) {
  porter_sim_collective(kind, mask, file, argument, value);
  return lane_records[cursor.index].value;
}

[[noreturn]] void bad_shuffle_width(int width, const char *file, int line);

// What the shuffle functions take: numbers of 4 and 8 bytes (smaller ones as int) and 16-bit floats and their pairs.
template <class T>
struct ShuffledAs {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>,
                "a shuffle takes a number, a 16-bit float or a pair of them: shuffle a structure's members");
  using type = std::conditional_t<std::is_floating_point_v<T> || (sizeof(T) >= 4), T, int>;
};
template <class T>
using shuffled = typename ShuffledAs<T>::type;

// Lane of the running thread in its warp.
PORTER_INLINE unsigned lane_id() { return cursor.index % lanes; }

// Hands `value` to the group and takes what comes back.
template <class T>
PORTER_INLINE T exchange(CallKind kind, lane_mask mask, const char *file, int argument, T value) {
  static_assert(std::is_trivially_copyable_v<T>, "the value is copied as bytes");
  static_assert(sizeof(T) < 65536, "the value is too large for a warp function");
  if constexpr (sizeof(T) <= sizeof(unsigned long long)) {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = collective(kind, mask & all_lanes, file, argument, bits);
    __builtin_memcpy(&value, &bits, sizeof(T));
  } else {
    collective(kind, mask & all_lanes, file, argument, (unsigned long long)(&value));
  }
  return value;
}

template <class T>
PORTER_INLINE T shuffle(Op op, Mask kind, lane_mask mask, T value, int argument, int width, const char *file, int line) {
  if (width <= 0 || width > lanes || (width & (width - 1))) bad_shuffle_width(width, file, line);
  return exchange(CallKind(op, kind, Number::real, width, sizeof(T), line), mask, file, argument, value);
}

PORTER_INLINE lane_mask vote(Op op, Mask kind, lane_mask mask, int predicate, const char *file, int line) {
  return collective(CallKind(op, kind, Number::real, 0, 0, line), mask & all_lanes, file, predicate != 0, 0);
}

template <class T>
PORTER_INLINE lane_mask match(Op op, Mask kind, lane_mask mask, T value, const char *file, int line) {
  static_assert(sizeof(T) <= 8, "a matched value has at most 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return collective(CallKind(op, kind, Number::real, 0, sizeof(T), line), mask & all_lanes, file, 0, bits);
}

template <class T>
PORTER_INLINE T reduce(Op op, Mask kind, lane_mask mask, T value, const char *file, int line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a reduced value has 32 or 64 bits");
  return exchange(CallKind(op, kind, number_of<T>(), 0, sizeof(T), line), mask, file, 0, value);
}

}  // namespace porter_sim
