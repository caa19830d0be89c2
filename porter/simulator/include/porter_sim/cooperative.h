// Cooperative groups: the block, tiles of it, the lanes that happen to be together, the grid.
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/intrinsics.h"

namespace cooperative_groups {

using ::porter_sim::Mask;
using ::porter_sim::Op;

// What every group inside one warp can do: its lanes, by mask.
class warp_group {
 public:
  unsigned long long size() const { return (unsigned long long)(__builtin_popcountll(mask_)); }
  unsigned num_threads() const { return unsigned(size()); }
  unsigned thread_rank() const { return unsigned(__builtin_popcountll(mask_ & below(lane()))); }
  void sync(PORTER_HERE) const {
    ::porter_sim::vote(Op::synchronise, Mask::named, mask_, 0, porter_file, porter_line);
  }
  template <class T>
  T shfl(T value, int rank, PORTER_HERE) const {
    return from_lane(value, lane_of(unsigned(rank) % num_threads()), porter_file, porter_line);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, PORTER_HERE) const {
    unsigned source = thread_rank() + delta;
    return from_lane(value, source < num_threads() ? lane_of(source) : int(lane()), porter_file, porter_line);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, PORTER_HERE) const {
    unsigned rank = thread_rank();
    return from_lane(value, rank >= delta ? lane_of(rank - delta) : int(lane()), porter_file, porter_line);
  }
  template <class T>
  T shfl_xor(T value, unsigned flip, PORTER_HERE) const {
    unsigned source = thread_rank() ^ flip;
    return from_lane(value, source < num_threads() ? lane_of(source) : int(lane()), porter_file, porter_line);
  }
  int any(int predicate, PORTER_HERE) const {
    return int(::porter_sim::vote(Op::any, Mask::named, mask_, predicate, porter_file, porter_line));
  }
  int all(int predicate, PORTER_HERE) const {
    return int(::porter_sim::vote(Op::all, Mask::named, mask_, predicate, porter_file, porter_line));
  }
  unsigned long long ballot(int predicate, PORTER_HERE) const {
    return pack(::porter_sim::vote(Op::ballot, Mask::named, mask_, predicate, porter_file, porter_line));
  }
  template <class T>
  unsigned long long match_any(T value, PORTER_HERE) const {
    return pack(::porter_sim::match(Op::match_any, Mask::named, mask_, value, porter_file, porter_line));
  }
  template <class T>
  unsigned long long match_all(T value, int &all, PORTER_HERE) const {
    auto same = ::porter_sim::match(Op::match_all, Mask::named, mask_, value, porter_file, porter_line);
    all = same != 0;
    return pack(same);
  }
  ::porter_sim::lane_mask lanes_of_group() const { return mask_; }

 protected:
  explicit warp_group(::porter_sim::lane_mask mask) : mask_(mask) {}

 private:
  static unsigned lane() { return ::porter_sim::lane_id(); }
  static ::porter_sim::lane_mask below(unsigned lane) { return (::porter_sim::lane_mask(1) << lane) - 1; }
  // The lane that holds `rank` in this group.
  int lane_of(unsigned rank) const {
    ::porter_sim::lane_mask rest = mask_;
    while (rank--) rest &= rest - 1;
    return __builtin_ctzll(rest);
  }
  // Bits of lanes as bits of ranks.
  unsigned long long pack(::porter_sim::lane_mask bits) const {
    unsigned long long packed = 0;
    unsigned rank = 0;
    for (auto rest = mask_; rest; rest &= rest - 1, ++rank) {
      if (bits >> __builtin_ctzll(rest) & 1) packed |= 1ull << rank;
    }
    return packed;
  }
  template <class T>
  T from_lane(T value, int source, const char *file, int line) const {
    return ::porter_sim::shuffle(Op::shuffle_index, Mask::named, mask_, value, source, ::porter_sim::lanes, file, line);
  }

  ::porter_sim::lane_mask mask_;
};

class thread_block {
 public:
  static unsigned long long size() { return num_threads(); }
  static void sync(PORTER_HERE) {
    ::porter_sim::block_barrier(::porter_sim::Vote::none, 0, porter_file, porter_line);
  }
  static unsigned thread_rank() { return ::porter_sim::linear_thread(); }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
};

class grid_group {
 public:
  bool is_valid() const { return true; }
  void sync(PORTER_HERE) const { ::porter_sim::grid_barrier(porter_file, porter_line); }
  unsigned long long size() const { return num_blocks() * thread_block::num_threads(); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  unsigned long long block_rank() const {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  unsigned long long thread_rank() const {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  uint3 block_index() const { return blockIdx; }
};

class coalesced_group : public warp_group {
 public:
  explicit coalesced_group(::porter_sim::lane_mask mask) : warp_group(mask) {}
  unsigned meta_group_size() const { return 1; }
  unsigned meta_group_rank() const { return 0; }
};

// Tiles of up to a warp are sets of lanes; larger ones would have to span warps.
template <unsigned Size, class Parent = void>
class thread_block_tile : public warp_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
  static_assert(Size <= unsigned(::porter_sim::lanes), "a tile fits into a warp");

 public:
  thread_block_tile() : warp_group(lanes_of_tile()) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
  static constexpr unsigned long long size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return ::porter_sim::linear_thread() % Size; }
  static unsigned meta_group_rank() { return ::porter_sim::linear_thread() / Size; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

 private:
  static ::porter_sim::lane_mask lanes_of_tile() {
    unsigned first = ::porter_sim::lane_id() / Size * Size;
    return (~::porter_sim::lane_mask(0) >> (64 - Size)) << first;
  }
};

// The group whose kind is known at run time only: a whole block (an empty lane set), or lanes of a warp.
class thread_group : public warp_group {
 public:
  explicit thread_group(::porter_sim::lane_mask mask) : warp_group(mask) {}
  thread_group(const thread_block &) : warp_group(0) {}
  unsigned long long size() const { return whole_block() ? thread_block::size() : warp_group::size(); }
  unsigned num_threads() const { return unsigned(size()); }
  unsigned thread_rank() const { return whole_block() ? thread_block::thread_rank() : warp_group::thread_rank(); }
  void sync(PORTER_HERE) const {
    whole_block() ? thread_block::sync(porter_file, porter_line) : warp_group::sync(porter_file, porter_line);
  }
  template <unsigned Size, class Parent>
  thread_group(const thread_block_tile<Size, Parent> &tile) : warp_group(tile.lanes_of_group()) {}
  thread_group(const coalesced_group &group) : warp_group(group.lanes_of_group()) {}

 private:
  bool whole_block() const { return lanes_of_group() == 0; }
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline coalesced_group coalesced_threads(PORTER_HERE) {
  return coalesced_group(::porter_sim::vote(Op::active, Mask::none, 0, 0, porter_file, porter_line));
}

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return {};
}
template <unsigned Size, unsigned Outer, class Parent>
thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(const thread_block_tile<Outer, Parent> &) {
  static_assert(Size <= Outer, "a tile's part is no larger than the tile");
  return {};
}
inline thread_group tiled_partition(const thread_block &, unsigned size) {
  unsigned first = ::porter_sim::lane_id() / size * size;
  return thread_group((~::porter_sim::lane_mask(0) >> (64 - size)) << first);
}
inline thread_group tiled_partition(const thread_group &group, unsigned size) {
  if (group.lanes_of_group() == 0) return tiled_partition(thread_block(), size);
  unsigned chunk = group.thread_rank() / size;
  ::porter_sim::lane_mask mask = 0;
  unsigned rank = 0;
  for (auto rest = group.lanes_of_group(); rest; rest &= rest - 1, ++rank) {
    if (rank / size == chunk) mask |= rest & -rest;
  }
  return thread_group(mask);
}
template <class Group>
coalesced_group binary_partition(const Group &group, bool predicate, PORTER_HERE) {
  auto yes = ::porter_sim::vote(Op::ballot, Mask::named, group.lanes_of_group(), predicate, porter_file, porter_line);
  return coalesced_group(predicate ? yes : group.lanes_of_group() & ~yes);
}
template <class Group, class Label>
coalesced_group labeled_partition(const Group &group, Label label, PORTER_HERE) {
  return coalesced_group(
      ::porter_sim::match(Op::match_any, Mask::named, group.lanes_of_group(), label, porter_file, porter_line));
}

template <class Group>
void sync(const Group &group, PORTER_HERE) {
  group.sync(porter_file, porter_line);
}
template <class Group>
unsigned long long thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group>
unsigned long long group_size(const Group &group) {
  return group.num_threads();
}

namespace experimental {
using cooperative_groups::tiled_partition;
}

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

// Reduces in the order of a butterfly: every member gets the same bits.
template <class Group, class T, class Operation>
T reduce(const Group &group, T value, Operation operation, PORTER_HERE) {
  unsigned size = group.num_threads(), rank = unsigned(group.thread_rank());
  if ((size & (size - 1)) == 0) {
    for (unsigned flip = size / 2; flip; flip /= 2) {
      T other = group.shfl_xor(value, flip, porter_file, porter_line);
      value = rank & flip ? operation(other, value) : operation(value, other);
    }
    return value;
  }
  T total = group.shfl(value, 0, porter_file, porter_line);
  for (unsigned from = 1; from < size; ++from) {
    total = operation(total, group.shfl(value, int(from), porter_file, porter_line));
  }
  return total;
}

template <class Group, class T, class Operation>
T inclusive_scan(const Group &group, T value, Operation operation, PORTER_HERE) {
  unsigned size = group.num_threads(), rank = unsigned(group.thread_rank());
  for (unsigned delta = 1; delta < size; delta *= 2) {
    T other = group.shfl_up(value, delta, porter_file, porter_line);
    if (rank >= delta) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
T inclusive_scan(const Group &group, T value, PORTER_HERE) {
  return inclusive_scan(group, value, plus<T>(), porter_file, porter_line);
}
template <class Group, class T, class Operation>
T exclusive_scan(const Group &group, T value, Operation operation, PORTER_HERE) {
  T inclusive = inclusive_scan(group, value, operation, porter_file, porter_line);
  T before = group.shfl_up(inclusive, 1, porter_file, porter_line);
  return group.thread_rank() ? before : T{};
}
template <class Group, class T>
T exclusive_scan(const Group &group, T value, PORTER_HERE) {
  return exclusive_scan(group, value, plus<T>(), porter_file, porter_line);
}

}  // namespace cooperative_groups
