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

// One lane's part of a collective; lives on the lane's stack until the group is complete.
struct Collective {
  Op op;
  Mask mask_kind;
  lane_mask mask;
  int argument;       // lane, delta or predicate
  int width;          // segment of a shuffle
  unsigned size;      // bytes of `input` and `output`
  int number;         // how a reduction or match reads the value: a `Number`
  const void *input;
  void *output;
  lane_mask result;   // ballot, match, the group itself
  const char *file;
  int line;
};

enum class Number : int { signed_integer, unsigned_integer, real };

template <class T>
constexpr int number_of() {
  return int(std::is_floating_point_v<T> ? Number::real
             : std::is_signed_v<T>       ? Number::signed_integer
                                         : Number::unsigned_integer);
}

void collective(Collective &call);

// Lane of the running thread in its warp.
PORTER_INLINE unsigned lane_id() { return cursor.index % lanes; }

template <class T>
PORTER_INLINE T shuffle(Op op, Mask kind, lane_mask mask, T value, int argument, int width, const char *file, int line) {
  static_assert(std::is_trivially_copyable_v<T>, "a shuffled value is copied as bytes");
  T result;
  Collective call{op, kind, mask, argument, width, sizeof(T), 0, &value, &result, 0, file, line};
  collective(call);
  return result;
}

PORTER_INLINE lane_mask vote(Op op, Mask kind, lane_mask mask, int predicate, const char *file, int line) {
  Collective call{op, kind, mask, predicate != 0, 0, 0, 0, nullptr, nullptr, 0, file, line};
  collective(call);
  return call.result;
}

template <class T>
PORTER_INLINE lane_mask match(Op op, Mask kind, lane_mask mask, T value, const char *file, int line) {
  Collective call{op, kind, mask, 0, 0, sizeof(T), 0, &value, nullptr, 0, file, line};
  collective(call);
  return call.result;
}

template <class T>
PORTER_INLINE T reduce(Op op, Mask kind, lane_mask mask, T value, const char *file, int line) {
  T result;
  Collective call{op, kind, mask, 0, 0, sizeof(T), number_of<T>(), &value, &result, 0, file, line};
  collective(call);
  return result;
}

}  // namespace porter_sim
