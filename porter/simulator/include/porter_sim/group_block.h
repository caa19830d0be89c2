// The block, and its tiles of any power of two: those of more than a warp exchange values between two barriers.
#pragma once

#include "porter_sim/group_warp.h"
#include "porter_sim/waiting.h"

namespace cooperative_groups {

class thread_block {
 public:
  static unsigned long long size() { return num_threads(); }
  static void sync(PORTER_HERE) {
    ::porter_sim::block_barrier(::porter_sim::Vote::none, 0, porter_file, porter_line);
  }
  using arrival_token = cooperative_groups::arrival_token;
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token && = {}, PORTER_HERE) { sync(porter_file, porter_line); }
  static bool is_valid() { return true; }
  static unsigned thread_rank() { return ::porter_sim::linear_thread(); }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
};

// The shared memory that CUDA's larger tiles need; the simulator keeps what they exchange elsewhere.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned long long words[MaxBlockSize / 32 + 1];
};

inline thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return {};
}

// A tile of several warps.
template <unsigned Size>
class wide_tile {
 public:
  void sync(PORTER_HERE) const { ::porter_sim::partial_barrier(first(), Size, porter_file, porter_line); }
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token && = {}, PORTER_HERE) const { sync(porter_file, porter_line); }
  template <class T>
  T shfl(T value, unsigned rank, PORTER_HERE) const {
    return exchange(value, porter_file, porter_line, [&](auto at) { return at(rank % Size); });
  }
  int any(int predicate, PORTER_HERE) const {
    return exchange(predicate, porter_file, porter_line, [&](auto at) {
      for (unsigned rank = 0; rank < members(); ++rank) {
        if (at(rank)) return 1;
      }
      return 0;
    });
  }
  int all(int predicate, PORTER_HERE) const { return !any(!predicate, porter_file, porter_line); }
  // Shows `value` to the tile and returns what `read` makes of the values by rank.
  template <class T, class Read>
  auto exchange(const T &value, const char *file, int line, Read read) const {
    ::porter_sim::shown(::porter_sim::linear_thread()) = &value;
    ::porter_sim::partial_barrier(first(), Size, file, line);
    auto result = read([this](unsigned rank) -> const T & {
      return *static_cast<const T *>(::porter_sim::shown(first() + rank));
    });
    ::porter_sim::partial_barrier(first(), Size, file, line);
    return result;
  }
  // Threads there are: the last tile of a block may be cut off.
  static unsigned members() { return std::min(Size, thread_block::num_threads() - first()); }

 private:
  static unsigned first() { return ::porter_sim::linear_thread() / Size * Size; }
};

// A tile of up to a warp.
template <unsigned Size>
class narrow_tile : public warp_group {
 public:
  narrow_tile() : warp_group(lanes_of_tile()) {}

 private:
  static ::porter_sim::lane_mask lanes_of_tile() {
    unsigned first = ::porter_sim::lane_id() / Size * Size;
    return (~::porter_sim::lane_mask(0) >> (64 - Size)) << first;
  }
};

template <unsigned Size>
using tile_base = std::conditional_t<(Size <= unsigned(::porter_sim::lanes)), narrow_tile<Size>, wide_tile<Size>>;

template <unsigned Size, class Parent = void>
class thread_block_tile : public tile_base<Size> {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
  static_assert(Size <= 1024, "a tile fits into a block");

 public:
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
  static constexpr unsigned long long size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return ::porter_sim::linear_thread() % Size; }
  static unsigned meta_group_rank() { return part_of(static_cast<Parent *>(nullptr)); }
  static unsigned meta_group_size() { return parts_of(static_cast<Parent *>(nullptr)); }

 private:
  template <unsigned Outer, class Above>
  static unsigned part_of(thread_block_tile<Outer, Above> *) {
    return ::porter_sim::linear_thread() % Outer / Size;
  }
  static unsigned part_of(void *) { return ::porter_sim::linear_thread() / Size; }
  template <unsigned Outer, class Above>
  static unsigned parts_of(thread_block_tile<Outer, Above> *) {
    return Outer / Size;
  }
  static unsigned parts_of(void *) { return (thread_block::num_threads() + Size - 1) / Size; }
};

// The group whose kind is known at run time only: a whole block (an empty lane set), or lanes of a warp.
class thread_group : public warp_group {
 public:
  explicit thread_group(::porter_sim::lane_mask mask) : warp_group(mask) {}
  thread_group(const thread_block &) : warp_group(0) {}
  template <unsigned Size, class Parent>
  thread_group(const thread_block_tile<Size, Parent> &tile) : warp_group(tile.lanes_of_group()) {}
  thread_group(const coalesced_group &group) : warp_group(group.lanes_of_group()) {}
  static bool is_valid() { return true; }
  unsigned long long size() const { return whole_block() ? thread_block::size() : warp_group::size(); }
  unsigned num_threads() const { return unsigned(size()); }
  unsigned thread_rank() const { return whole_block() ? thread_block::thread_rank() : warp_group::thread_rank(); }
  void sync(PORTER_HERE) const {
    whole_block() ? thread_block::sync(porter_file, porter_line) : warp_group::sync(porter_file, porter_line);
  }
  bool whole_block() const { return lanes_of_group() == 0; }
};

namespace experimental {
template <size_t CommunicationSize = 8, size_t MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned long long words[MaxBlockSize / 32 + 1];
};
template <size_t CommunicationSize, size_t MaxBlockSize>
thread_block this_thread_block(block_tile_memory<CommunicationSize, MaxBlockSize> &) {
  return {};
}
}  // namespace experimental

}  // namespace cooperative_groups
