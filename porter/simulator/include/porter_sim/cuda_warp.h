// CUDA's warp functions: a mask names the lanes that take part. With 64 lanes the mask is taken as written, so
// that a program written for 32 shows what it does on a wavefront.
#pragma once

#include "porter_sim/collective.h"

namespace porter_sim {
#if PORTER_SIM_LANES == 32
using cuda_mask = unsigned;
#else
using cuda_mask = unsigned long long;
#endif
}  // namespace porter_sim

// The hardware takes the low five bits of a lane, distance or lane mask.
#define PORTER_SHUFFLE(name, operation, extra)                                                             \
  template <class T>                                                                                       \
  PORTER_INLINE ::porter_sim::shuffled<T> name##_sync(::porter_sim::cuda_mask mask, T value, extra argument, int width = PORTER_SIM_LANES, \
                              PORTER_HERE) {                                                               \
    return ::porter_sim::shuffle(::porter_sim::Op::operation, ::porter_sim::Mask::named, mask, ::porter_sim::shuffled<T>(value),      \
                                 int(argument) & (::porter_sim::lanes - 1), width, porter_file, porter_line);                          \
  }                                                                                                        \
  template <class T>                                                                                       \
  PORTER_INLINE ::porter_sim::shuffled<T> name(T value, extra argument, int width = PORTER_SIM_LANES, PORTER_HERE) {               \
    return ::porter_sim::shuffle(::porter_sim::Op::operation, ::porter_sim::Mask::none, 0, ::porter_sim::shuffled<T>(value),          \
                                 int(argument) & (::porter_sim::lanes - 1), width, porter_file, porter_line);                          \
  }
PORTER_SHUFFLE(__shfl, shuffle_index, int)
PORTER_SHUFFLE(__shfl_up, shuffle_up, unsigned)
PORTER_SHUFFLE(__shfl_down, shuffle_down, unsigned)
PORTER_SHUFFLE(__shfl_xor, shuffle_xor, int)
#undef PORTER_SHUFFLE

#define PORTER_VOTE(name, result, operation)                                                              \
  PORTER_INLINE result name##_sync(::porter_sim::cuda_mask mask, int predicate, PORTER_HERE) {            \
    return static_cast<result>(::porter_sim::vote(::porter_sim::Op::operation, ::porter_sim::Mask::named, mask, predicate, \
                                     porter_file, porter_line));                                          \
  }                                                                                                       \
  PORTER_INLINE result name(int predicate, PORTER_HERE) {                                                 \
    return static_cast<result>(::porter_sim::vote(::porter_sim::Op::operation, ::porter_sim::Mask::none, 0, predicate, \
                                     porter_file, porter_line));                                          \
  }
PORTER_VOTE(__ballot, ::porter_sim::cuda_mask, ballot)
PORTER_VOTE(__all, int, all)
PORTER_VOTE(__any, int, any)
#undef PORTER_VOTE

PORTER_INLINE ::porter_sim::cuda_mask __activemask(PORTER_HERE) {
  return ::porter_sim::cuda_mask(
      ::porter_sim::vote(::porter_sim::Op::active, ::porter_sim::Mask::none, 0, 0, porter_file, porter_line));
}
PORTER_INLINE void __syncwarp(::porter_sim::cuda_mask mask = ~::porter_sim::cuda_mask(0), PORTER_HERE) {
  ::porter_sim::vote(::porter_sim::Op::synchronise, ::porter_sim::Mask::named, mask, 0, porter_file, porter_line);
}

template <class T>
PORTER_INLINE ::porter_sim::cuda_mask __match_any_sync(::porter_sim::cuda_mask mask, T value, PORTER_HERE) {
  static_assert(std::is_arithmetic_v<T>, "a match takes a number");
  return ::porter_sim::cuda_mask(::porter_sim::match(::porter_sim::Op::match_any, ::porter_sim::Mask::named, mask,
                                                     value, porter_file, porter_line));
}
template <class T>
PORTER_INLINE ::porter_sim::cuda_mask __match_all_sync(::porter_sim::cuda_mask mask, T value, int *all,
                                                       PORTER_HERE) {
  static_assert(std::is_arithmetic_v<T>, "a match takes a number");
  auto same = ::porter_sim::match(::porter_sim::Op::match_all, ::porter_sim::Mask::named, mask, value, porter_file,
                                  porter_line);
  *all = same != 0;
  return ::porter_sim::cuda_mask(same);
}

#define PORTER_REDUCE(name, operation)                                                                   \
  template <class T>                                                                                     \
  PORTER_INLINE ::porter_sim::shuffled<T> name(::porter_sim::cuda_mask mask, T value, PORTER_HERE) {     \
    static_assert(std::is_integral_v<T> && sizeof(T) <= 4, "a reduction takes 32-bit integers");         \
    return ::porter_sim::reduce(::porter_sim::Op::operation, ::porter_sim::Mask::named, mask,            \
                                ::porter_sim::shuffled<T>(value),                                        \
                                porter_file, porter_line);                                               \
  }
PORTER_REDUCE(__reduce_add_sync, reduce_add)
PORTER_REDUCE(__reduce_min_sync, reduce_min)
PORTER_REDUCE(__reduce_max_sync, reduce_max)
PORTER_REDUCE(__reduce_and_sync, reduce_and)
PORTER_REDUCE(__reduce_or_sync, reduce_or)
PORTER_REDUCE(__reduce_xor_sync, reduce_xor)
#undef PORTER_REDUCE
