// Groups whose threads are lanes of one warp: what coalesced groups and tiles of up to a warp have in common.
#pragma once

#include "porter_sim/collective.h"
#include "porter_sim/intrinsics.h"

namespace cooperative_groups {

using ::porter_sim::Mask;
using ::porter_sim::Op;

#if defined(PORTER_SIM_HIP) || PORTER_SIM_LANES == 64
using group_mask = unsigned long long;
#else
using group_mask = unsigned;
#endif

// A split barrier of a group. Nobody goes on before all wait, which is one of the orders it allows.
struct arrival_token {};

class warp_group {
 public:
  unsigned long long size() const { return num_threads(); }
  unsigned num_threads() const { return unsigned(__builtin_popcountll(mask_)); }
  unsigned thread_rank() const { return unsigned(__builtin_popcountll(mask_ & below(lane()))); }
  void sync(PORTER_HERE) const {
    ::porter_sim::vote(Op::synchronise, Mask::named, mask_, 0, porter_file, porter_line);
  }
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token && = {}, PORTER_HERE) const { sync(porter_file, porter_line); }
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
  group_mask ballot(int predicate, PORTER_HERE) const {
    return pack(::porter_sim::vote(Op::ballot, Mask::named, mask_, predicate, porter_file, porter_line));
  }
  template <class T>
  group_mask match_any(T value, PORTER_HERE) const {
    return pack(::porter_sim::match(Op::match_any, Mask::named, mask_, value, porter_file, porter_line));
  }
  template <class T>
  group_mask match_all(T value, int &all, PORTER_HERE) const {
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
  group_mask pack(::porter_sim::lane_mask bits) const {
    group_mask packed = 0;
    unsigned rank = 0;
    for (auto rest = mask_; rest; rest &= rest - 1, ++rank) {
      if (bits >> __builtin_ctzll(rest) & 1) packed |= group_mask(1) << rank;
    }
    return packed;
  }
  template <class T>
  T from_lane(T value, int source, const char *file, int line) const {
    return ::porter_sim::shuffle(Op::shuffle_index, Mask::named, mask_, value, source, ::porter_sim::lanes, file, line);
  }

  ::porter_sim::lane_mask mask_;
};

// Lanes that happen to be together, or a part of such a group.
class coalesced_group : public warp_group {
 public:
  explicit coalesced_group(::porter_sim::lane_mask mask, unsigned parts = 1, unsigned part = 0)
      : warp_group(mask), parts_(parts), part_(part) {}
  unsigned meta_group_size() const { return parts_; }
  unsigned meta_group_rank() const { return part_; }

 private:
  unsigned parts_, part_;
};

inline coalesced_group coalesced_threads(PORTER_HERE) {
  return coalesced_group(::porter_sim::vote(Op::active, Mask::none, 0, 0, porter_file, porter_line));
}

}  // namespace cooperative_groups
