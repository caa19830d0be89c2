// Reductions, scans, and work that one thread of a group does.
#pragma once

#include "porter_sim/group_partition.h"

namespace cooperative_groups {

#define PORTER_FUNCTOR(name, expression)               \
  template <class T = void>                            \
  struct name {                                        \
    T operator()(T x, T y) const { return expression; } \
  };                                                   \
  template <>                                          \
  struct name<void> {                                  \
    template <class T>                                 \
    T operator()(T x, T y) const {                     \
      return expression;                               \
    }                                                  \
  };
PORTER_FUNCTOR(plus, x + y)
PORTER_FUNCTOR(less, y < x ? y : x)
PORTER_FUNCTOR(greater, x < y ? y : x)
PORTER_FUNCTOR(bit_and, x &y)
PORTER_FUNCTOR(bit_or, x | y)
PORTER_FUNCTOR(bit_xor, x ^ y)
#undef PORTER_FUNCTOR

template <class Group>
struct is_wide : std::false_type {};
template <unsigned Size, class Parent>
struct is_wide<thread_block_tile<Size, Parent>> : std::bool_constant<(Size > unsigned(::porter_sim::lanes))> {};

// Reduces in the order of a butterfly: every member gets the same bits.
template <class Group, class T, class Operation>
T reduce_lanes(const Group &group, T value, Operation operation, const char *file, int line) {
  unsigned size = group.num_threads(), rank = unsigned(group.thread_rank());
  if ((size & (size - 1)) == 0) {
    for (unsigned flip = size / 2; flip; flip /= 2) {
      T other = group.shfl_xor(value, flip, file, line);
      value = rank & flip ? operation(other, value) : operation(value, other);
    }
    return value;
  }
  T total = group.shfl(value, 0, file, line);
  for (unsigned from = 1; from < size; ++from) total = operation(total, group.shfl(value, int(from), file, line));
  return total;
}

template <class Group, class T, class Operation>
T reduce(const Group &group, T value, Operation operation, PORTER_HERE) {
  if constexpr (is_wide<Group>::value) {
    return group.exchange(value, porter_file, porter_line, [&](auto at) {
      std::vector<T> parts;
      for (unsigned rank = 0; rank < group.members(); ++rank) parts.push_back(at(rank));
      for (size_t half = Group::num_threads() / 2; half; half /= 2) {
        for (size_t i = 0; i < half && i + half < parts.size(); ++i) parts[i] = operation(parts[i], parts[i + half]);
      }
      return parts[0];
    });
  } else {
    return reduce_lanes(group, value, operation, porter_file, porter_line);
  }
}

template <class Group, class T, class Operation>
T inclusive_scan(const Group &group, T value, Operation operation, PORTER_HERE) {
  unsigned rank = unsigned(group.thread_rank());
  if constexpr (is_wide<Group>::value) {
    return group.exchange(value, porter_file, porter_line, [&](auto at) {
      T total = at(0);
      for (unsigned each = 1; each <= rank; ++each) total = operation(total, at(each));
      return total;
    });
  } else {
    unsigned size = group.num_threads();
    for (unsigned delta = 1; delta < size; delta *= 2) {
      T other = group.shfl_up(value, delta, porter_file, porter_line);
      if (rank >= delta) value = operation(other, value);
    }
    return value;
  }
}
template <class Group, class T>
T inclusive_scan(const Group &group, T value, PORTER_HERE) {
  return inclusive_scan(group, value, plus<T>(), porter_file, porter_line);
}
// Rank 0 gets T{}.
template <class Group, class T, class Operation>
T exclusive_scan(const Group &group, T value, Operation operation, PORTER_HERE) {
  T inclusive = inclusive_scan(group, value, operation, porter_file, porter_line);
  unsigned rank = unsigned(group.thread_rank());
  if constexpr (is_wide<Group>::value) {
    return group.exchange(inclusive, porter_file, porter_line, [&](auto at) { return rank ? at(rank - 1) : T{}; });
  } else {
    T before = group.shfl_up(inclusive, 1, porter_file, porter_line);
    return rank ? before : T{};
  }
}
template <class Group, class T>
T exclusive_scan(const Group &group, T value, PORTER_HERE) {
  return exclusive_scan(group, value, plus<T>(), porter_file, porter_line);
}

template <class Group, class Function, class... Arguments>
void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments) {
  using Result = std::invoke_result_t<Function, Arguments...>;
  Result result{};
  if (group.thread_rank() == 0) result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
