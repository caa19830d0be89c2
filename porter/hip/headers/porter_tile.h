// Cooperative groups' tiles of several wavefronts, over shared memory; added by porter.
//
// HIP's tiles end at a wavefront of 64 lanes. A larger one has a barrier and a slot for each of its wavefronts in the
// block_tile_memory that CUDA asks for too. It consists of whole wavefronts, so no lane waits for another of its own.
// Values of at most 8 bytes are exchanged, which is also what CUDA provides for by default.
#ifndef PORTER_TILE_H
#define PORTER_TILE_H

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "porter_barrier.h"

namespace porter_tile {
inline constexpr unsigned wavefront = 64;
inline constexpr unsigned most_threads = 1024;
// Of tiles with this size in a block of the largest size, behind those of all larger sizes.
__device__ constexpr unsigned first_barrier(unsigned size) { return most_threads / size - 1; }
}  // namespace porter_tile

template <unsigned MaxBlockSize = porter_tile::most_threads>
struct porter_block_tile_memory {
  porter_cuda::barrier<porter_cuda::thread_scope_block> barriers[2 * porter_tile::most_threads / 128 - 1];
  unsigned long long slots[porter_tile::most_threads / porter_tile::wavefront];
};

// The block, with the memory of its larger tiles.
struct porter_block : cooperative_groups::thread_block {
  porter_block_tile_memory<>* memory;
  __device__ porter_block(const cooperative_groups::thread_block& block, porter_block_tile_memory<>* memory)
      : cooperative_groups::thread_block(block), memory(memory) {}
};

template <unsigned MaxBlockSize>
__device__ inline porter_block porter_this_thread_block(porter_block_tile_memory<MaxBlockSize>& memory) {
  // All sizes have the same members.
  return porter_block(cooperative_groups::this_thread_block(), reinterpret_cast<porter_block_tile_memory<>*>(&memory));
}
__device__ inline cooperative_groups::thread_block porter_this_thread_block() {
  return cooperative_groups::this_thread_block();
}

template <unsigned Size>
class porter_wide_tile {
  static_assert(Size > porter_tile::wavefront && Size <= porter_tile::most_threads && (Size & (Size - 1)) == 0,
                "a tile's size is a power of two, and no larger than a block");

 public:
  __device__ porter_wide_tile(porter_block_tile_memory<>* memory) : memory_(memory) {
    __syncthreads();
    if (thread_rank() == 0) init(barrier(), num_threads_there());
    __syncthreads();
  }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static unsigned thread_rank() { return block_rank() % Size; }
  __device__ static unsigned meta_group_rank() { return block_rank() / Size; }
  __device__ static unsigned meta_group_size() { return (block_threads() + Size - 1) / Size; }
  __device__ void sync() const { barrier()->arrive_and_wait(); }

  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    if (thread_rank() == rank % Size) put(first_slot(), value);
    sync();
    const T found = get<T>(first_slot());
    sync();
    return found;
  }
  __device__ int any(int predicate) const {
    return reduce(int(predicate != 0), [](int x, int y) { return x | y; });
  }
  __device__ int all(int predicate) const {
    return reduce(int(predicate != 0), [](int x, int y) { return x & y; });
  }
  // A butterfly in each wavefront, then the wavefronts in order: every thread gets the same bits.
  template <class T, class Combine>
  __device__ T reduce(T value, Combine combine) const {
    const unsigned lane = block_rank() % porter_tile::wavefront;
    const unsigned left = block_threads() - (block_rank() - lane);
    const unsigned lanes = left < porter_tile::wavefront ? left : porter_tile::wavefront;
    for (unsigned offset = porter_tile::wavefront / 2; offset > 0; offset /= 2) {
      const T other = exchanged(value, lane ^ offset);
      if ((lane ^ offset) < lanes) value = lane & offset ? combine(other, value) : combine(value, other);
    }
    if (lane == 0) put(block_rank() / porter_tile::wavefront, value);
    sync();
    T total = get<T>(first_slot());
    const unsigned count = (num_threads_there() + porter_tile::wavefront - 1) / porter_tile::wavefront;
    for (unsigned i = 1; i < count; ++i) total = combine(total, get<T>(first_slot() + i));
    sync();
    return total;
  }

 private:
  __device__ static unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  // The last tile of a block may be cut off.
  __device__ static unsigned num_threads_there() {
    const unsigned left = block_threads() - block_rank() / Size * Size;
    return left < Size ? left : Size;
  }
  __device__ porter_cuda::barrier<porter_cuda::thread_scope_block>* barrier() const {
    return &memory_->barriers[porter_tile::first_barrier(Size) + meta_group_rank()];
  }
  __device__ static unsigned first_slot() { return block_rank() / Size * (Size / porter_tile::wavefront); }
  template <class T>
  __device__ void put(unsigned slot, const T& value) const {
    static_assert(sizeof(T) <= 8, "a tile of several wavefronts exchanges values of at most 8 bytes");
    __builtin_memcpy(&memory_->slots[slot], &value, sizeof(T));
  }
  template <class T>
  __device__ T get(unsigned slot) const {
    T value;
    __builtin_memcpy(&value, &memory_->slots[slot], sizeof(T));
    return value;
  }
  template <class T>
  __device__ static T exchanged(const T& value, unsigned lane) {
    unsigned words[2] = {0, 0};
    __builtin_memcpy(words, &value, sizeof(T));
    words[0] = __shfl(words[0], int(lane), int(porter_tile::wavefront));
    if constexpr (sizeof(T) > 4) words[1] = __shfl(words[1], int(lane), int(porter_tile::wavefront));
    T other = value;
    __builtin_memcpy(&other, words, sizeof(T));
    return other;
  }

  porter_block_tile_memory<>* memory_;
};

template <unsigned Size, class Group>
__device__ inline auto porter_tiled_partition(const Group& group) {
  return cooperative_groups::tiled_partition<Size>(group);
}
template <unsigned Size>
__device__ inline auto porter_tiled_partition(const porter_block& block) {
  if constexpr (Size > porter_tile::wavefront) {
    return porter_wide_tile<Size>(block.memory);
  } else {
    return cooperative_groups::tiled_partition<Size>(static_cast<const cooperative_groups::thread_block&>(block));
  }
}

template <unsigned Size, class T, class Combine>
__device__ inline T porter_cg_reduce(const porter_wide_tile<Size>& tile, T value, Combine combine) {
  return tile.reduce(value, combine);
}

#endif
