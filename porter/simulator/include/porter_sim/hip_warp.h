// HIP's warp functions: the maskless ones work on the active lanes; a `_sync` mask has 64 bits and must equal the
// active lanes, or the kernel traps.
#pragma once

#include "porter_sim/collective.h"

#define PORTER_CHECK_MASK(type)                                                                             \
  static_assert(std::is_integral_v<type> && sizeof(type) == 8, "The mask must be a 64-bit integer. "        \
                "Implicitly promoting a smaller integer is almost always an error.")

#define PORTER_SHUFFLE(name, operation, extra)                                                              \
  template <class M, class T>                                                                               \
  PORTER_INLINE ::porter_sim::shuffled<T> name##_sync(M mask, T value, extra argument, int width = PORTER_SIM_LANES, PORTER_HERE) { \
    PORTER_CHECK_MASK(M);                                                                                   \
    return ::porter_sim::shuffle(::porter_sim::Op::operation, ::porter_sim::Mask::checked,                  \
                                 ::porter_sim::lane_mask(mask), ::porter_sim::shuffled<T>(value), int(argument), width, porter_file,   \
                                 porter_line);                                                              \
  }                                                                                                         \
  template <class T>                                                                                        \
  PORTER_INLINE ::porter_sim::shuffled<T> name(T value, extra argument, int width = PORTER_SIM_LANES, PORTER_HERE) {                \
    return ::porter_sim::shuffle(::porter_sim::Op::operation, ::porter_sim::Mask::none, 0, ::porter_sim::shuffled<T>(value),           \
                                 int(argument), width, porter_file, porter_line);                           \
  }
PORTER_SHUFFLE(__shfl, shuffle_index, int)
PORTER_SHUFFLE(__shfl_up, shuffle_up, unsigned)
PORTER_SHUFFLE(__shfl_down, shuffle_down, unsigned)
PORTER_SHUFFLE(__shfl_xor, shuffle_xor, int)
#undef PORTER_SHUFFLE

#define PORTER_VOTE(name, result, operation)                                                                \
  template <class M>                                                                                        \
  PORTER_INLINE result name##_sync(M mask, int predicate, PORTER_HERE) {                                    \
    PORTER_CHECK_MASK(M);                                                                                   \
    return static_cast<result>(::porter_sim::vote(::porter_sim::Op::operation, ::porter_sim::Mask::checked,              \
                                     ::porter_sim::lane_mask(mask), predicate, porter_file, porter_line));  \
  }                                                                                                         \
  PORTER_INLINE result name(int predicate, PORTER_HERE) {                                                   \
    return static_cast<result>(::porter_sim::vote(::porter_sim::Op::operation, ::porter_sim::Mask::none, 0, predicate,   \
                                     porter_file, porter_line));                                            \
  }
PORTER_VOTE(__ballot, unsigned long long, ballot)
PORTER_VOTE(__all, int, all)
PORTER_VOTE(__any, int, any)
#undef PORTER_VOTE

PORTER_INLINE unsigned long long __activemask(PORTER_HERE) {
  return ::porter_sim::vote(::porter_sim::Op::active, ::porter_sim::Mask::none, 0, 0, porter_file, porter_line);
}
PORTER_INLINE void __syncwarp(PORTER_HERE) {
  ::porter_sim::vote(::porter_sim::Op::synchronise, ::porter_sim::Mask::none, 0, 0, porter_file, porter_line);
}
template <class M, class = std::enable_if_t<std::is_integral_v<M>>>
PORTER_INLINE void __syncwarp(M mask, PORTER_HERE) {
  PORTER_CHECK_MASK(M);
  ::porter_sim::vote(::porter_sim::Op::synchronise, ::porter_sim::Mask::checked, ::porter_sim::lane_mask(mask), 0,
                     porter_file, porter_line);
}

template <class T>
PORTER_INLINE unsigned long long __match_any(T value, PORTER_HERE) {
  return ::porter_sim::match(::porter_sim::Op::match_any, ::porter_sim::Mask::none, 0, value, porter_file,
                             porter_line);
}
template <class M, class T>
PORTER_INLINE unsigned long long __match_any_sync(M mask, T value, PORTER_HERE) {
  PORTER_CHECK_MASK(M);
  return ::porter_sim::match(::porter_sim::Op::match_any, ::porter_sim::Mask::checked,
                             ::porter_sim::lane_mask(mask), value, porter_file, porter_line);
}
template <class M, class T>
PORTER_INLINE unsigned long long __match_all_sync(M mask, T value, int *all, PORTER_HERE) {
  PORTER_CHECK_MASK(M);
  auto same = ::porter_sim::match(::porter_sim::Op::match_all, ::porter_sim::Mask::checked,
                                  ::porter_sim::lane_mask(mask), value, porter_file, porter_line);
  *all = same != 0;
  return same;
}

#define PORTER_REDUCE(name, operation)                                                                      \
  template <class M, class T>                                                                               \
  PORTER_INLINE T name(M mask, T value, PORTER_HERE) {                                                      \
    PORTER_CHECK_MASK(M);                                                                                   \
    return ::porter_sim::reduce(::porter_sim::Op::operation, ::porter_sim::Mask::checked,                   \
                                ::porter_sim::lane_mask(mask), value, porter_file, porter_line);            \
  }
PORTER_REDUCE(__reduce_add_sync, reduce_add)
PORTER_REDUCE(__reduce_min_sync, reduce_min)
PORTER_REDUCE(__reduce_max_sync, reduce_max)
PORTER_REDUCE(__reduce_and_sync, reduce_and)
PORTER_REDUCE(__reduce_or_sync, reduce_or)
PORTER_REDUCE(__reduce_xor_sync, reduce_xor)
#undef PORTER_REDUCE

PORTER_INLINE unsigned __lane_id() { return ::porter_sim::lane_id(); }
PORTER_INLINE unsigned __mbcnt_lo(unsigned mask, unsigned add) {
  unsigned lane = ::porter_sim::lane_id();
  unsigned below = lane >= 32 ? ~0u : (1u << lane) - 1;
  return add + unsigned(__builtin_popcount(mask & below));
}
PORTER_INLINE unsigned __mbcnt_hi(unsigned mask, unsigned add) {
  unsigned lane = ::porter_sim::lane_id();
  unsigned below = lane < 32 ? 0u : (1u << (lane - 32)) - 1;
  return add + unsigned(__builtin_popcount(mask & below));
}
#define __builtin_debugtrap() __brkpt()  // s_trap 3, which goes on where no debugger is attached
#define __builtin_amdgcn_mbcnt_lo(mask, add) __mbcnt_lo(mask, add)
#define __builtin_amdgcn_mbcnt_hi(mask, add) __mbcnt_hi(mask, add)
