// Groups made from groups: tiles of a size known to the compiler or not, parts by label or predicate.
#pragma once

#include "porter_sim/group_block.h"

namespace cooperative_groups {

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return {};
}
template <unsigned Size, unsigned Outer, class Parent>
thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(const thread_block_tile<Outer, Parent> &) {
  static_assert(Size <= Outer, "a tile's part is no larger than the tile");
  return {};
}
template <unsigned Size>
thread_block_tile<Size> tiled_partition(const thread_group &) {
  return {};
}

// The lanes of `group` that share the calling lane's run of `size` ranks.
inline ::porter_sim::lane_mask lanes_of_run(const warp_group &group, unsigned size) {
  unsigned run = group.thread_rank() / size, rank = 0;
  ::porter_sim::lane_mask mask = 0;
  for (auto rest = group.lanes_of_group(); rest; rest &= rest - 1, ++rank) {
    if (rank / size == run) mask |= rest & -rest;
  }
  return mask;
}

inline void check_tile_size(unsigned size, const char *file, int line) {
  if (size && !(size & (size - 1)) && size <= unsigned(::porter_sim::lanes)) return;
  ::porter_sim::device_trap("SIM042", "tiled_partition with a size that is no power of two, or above a warp", file, line);
}

inline thread_group tiled_partition(const thread_group &group, unsigned size, PORTER_HERE) {
  check_tile_size(size, porter_file, porter_line);
  if (!group.whole_block()) return thread_group(lanes_of_run(group, size));
  unsigned first = ::porter_sim::lane_id() / size * size;
  return thread_group((~::porter_sim::lane_mask(0) >> (64 - size)) << first);
}
inline thread_group tiled_partition(const thread_block &block, unsigned size, PORTER_HERE) {
  return tiled_partition(thread_group(block), size, porter_file, porter_line);
}
inline coalesced_group tiled_partition(const coalesced_group &group, unsigned size, PORTER_HERE) {
  check_tile_size(size, porter_file, porter_line);
  return coalesced_group(lanes_of_run(group, size), (group.num_threads() + size - 1) / size, group.thread_rank() / size);
}

// Parts are numbered by their first lanes.
template <class Group, class Label>
coalesced_group labeled_partition(const Group &group, Label label, PORTER_HERE) {
  static_assert(std::is_integral_v<Label> || std::is_enum_v<Label>, "a label is an integer");
  auto all = group.lanes_of_group();
  auto mine = ::porter_sim::match(Op::match_any, Mask::named, all, label, porter_file, porter_line);
  bool leads = (mine & -mine) >> ::porter_sim::lane_id() & 1;
  auto leaders = ::porter_sim::vote(Op::ballot, Mask::named, all, leads, porter_file, porter_line);
  auto before = leaders & ((mine & -mine) - 1);
  return coalesced_group(mine, unsigned(__builtin_popcountll(leaders)), unsigned(__builtin_popcountll(before)));
}
template <class Group>
coalesced_group binary_partition(const Group &group, bool predicate, PORTER_HERE) {
  return labeled_partition(group, int(predicate), porter_file, porter_line);
}

namespace experimental {
using cooperative_groups::tiled_partition;
}

}  // namespace cooperative_groups
