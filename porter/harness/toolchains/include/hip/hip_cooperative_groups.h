// porter's own minimal hip_cooperative_groups.h: the groups of HIP for 64-lane wavefronts, enough to build device
// code on a machine without ROCm. It is searched after every real header, and a build that used it says so.
// As in HIP there is no cooperative_groups::reduce, and only arithmetic types can be shuffled.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#define PORTER_CG __device__ __attribute__((always_inline)) inline

namespace cooperative_groups {

namespace detail {

constexpr unsigned kWavefront = 64;

PORTER_CG unsigned lane() { return __lane_id(); }

PORTER_CG unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

PORTER_CG unsigned block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// Lanes of a wavefront run in step: what is left to order is memory.
PORTER_CG void wavefront_sync() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_wave_barrier();
}

PORTER_CG unsigned bits_below(unsigned long long mask, unsigned lane) {
  return __popcll(mask & ((1ull << lane) - 1));
}

// The lane that holds the rank-th set bit.
PORTER_CG unsigned nth_lane(unsigned long long mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return static_cast<unsigned>(__ffsll(mask) - 1);
}

}  // namespace detail

enum class group_kind { block, tile, coalesced, grid };

// Any group of a block, with its size known at run time.
class thread_group {
 public:
  PORTER_CG unsigned size() const { return size_; }
  PORTER_CG unsigned num_threads() const { return size_; }
  PORTER_CG bool is_valid() const { return true; }
  PORTER_CG unsigned thread_rank() const {
    return kind_ == group_kind::block  ? detail::block_rank()
           : kind_ == group_kind::tile ? detail::lane() % size_
                                       : detail::bits_below(mask_, detail::lane());
  }
  PORTER_CG void sync() const {
    if (kind_ == group_kind::block) {
      __syncthreads();
    } else {
      detail::wavefront_sync();
    }
  }

 protected:
  PORTER_CG thread_group(group_kind kind, unsigned size, unsigned long long mask = 0)
      : kind_(kind), size_(size), mask_(mask) {}

  group_kind kind_;
  unsigned size_;
  unsigned long long mask_;

  friend PORTER_CG thread_group tiled_partition(const thread_group&, unsigned);
};

class thread_block : public thread_group {
 public:
  PORTER_CG static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  PORTER_CG static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  PORTER_CG static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  PORTER_CG static dim3 dim_threads() { return group_dim(); }
  PORTER_CG static unsigned thread_rank() { return detail::block_rank(); }
  PORTER_CG static unsigned size() { return detail::block_threads(); }
  PORTER_CG static unsigned num_threads() { return detail::block_threads(); }
  PORTER_CG static void sync() { __syncthreads(); }

 private:
  PORTER_CG thread_block() : thread_group(group_kind::block, detail::block_threads()) {}
  friend PORTER_CG thread_block this_thread_block();
};

PORTER_CG thread_block this_thread_block() { return thread_block(); }

template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  static_assert(Size <= detail::kWavefront, "a tile is no larger than a wavefront");

 public:
  PORTER_CG thread_block_tile() : thread_group(group_kind::tile, Size) {}

  // `thread_block_tile<32>` is what functions take, whatever the tile was cut from.
  template <class OtherParent>
  PORTER_CG thread_block_tile(const thread_block_tile<Size, OtherParent>&)
      : thread_group(group_kind::tile, Size) {}

  PORTER_CG static constexpr unsigned size() { return Size; }
  PORTER_CG static constexpr unsigned num_threads() { return Size; }
  PORTER_CG unsigned thread_rank() const { return detail::block_rank() % Size; }
  PORTER_CG unsigned meta_group_rank() const { return detail::block_rank() / Size; }
  PORTER_CG unsigned meta_group_size() const { return (detail::block_threads() + Size - 1) / Size; }
  PORTER_CG void sync() const { detail::wavefront_sync(); }

  template <class T>
  PORTER_CG T shfl(T v, int rank) const {
    static_assert(std::is_arithmetic<T>::value, "only integers and floating-point numbers are shuffled");
    return __shfl(v, rank, Size);
  }
  template <class T>
  PORTER_CG T shfl_down(T v, unsigned delta) const {
    static_assert(std::is_arithmetic<T>::value, "only integers and floating-point numbers are shuffled");
    return __shfl_down(v, delta, Size);
  }
  template <class T>
  PORTER_CG T shfl_up(T v, unsigned delta) const {
    static_assert(std::is_arithmetic<T>::value, "only integers and floating-point numbers are shuffled");
    return __shfl_up(v, delta, Size);
  }
  template <class T>
  PORTER_CG T shfl_xor(T v, unsigned mask) const {
    static_assert(std::is_arithmetic<T>::value, "only integers and floating-point numbers are shuffled");
    return __shfl_xor(v, mask, Size);
  }

  PORTER_CG unsigned long long ballot(int predicate) const { return own(__ballot(predicate)); }
  PORTER_CG int any(int predicate) const { return ballot(predicate) != 0; }
  PORTER_CG int all(int predicate) const { return own(__ballot(!predicate)) == 0; }
  template <class T>
  PORTER_CG unsigned long long match_any(T v) const {
    unsigned long long same = 0;
    for (unsigned rank = 0; rank < Size; ++rank) {
      if (shfl(v, rank) == v) same |= 1ull << rank;
    }
    return same & ballot(1);
  }

 private:
  // This tile's part of a wavefront's ballot. Without the special case 64 would be a shift by 64.
  PORTER_CG static unsigned long long own(unsigned long long ballot) {
    if constexpr (Size == detail::kWavefront) {
      return ballot;
    } else {
      return ballot >> (detail::lane() / Size * Size) & ((1ull << Size) - 1);
    }
  }
};

template <unsigned Size, class Parent>
PORTER_CG thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

PORTER_CG thread_group tiled_partition(const thread_group&, unsigned size) {
  return thread_group(group_kind::tile, size);
}

// The lanes that are active where it is made.
class coalesced_group : public thread_group {
 public:
  PORTER_CG unsigned thread_rank() const { return detail::bits_below(mask_, detail::lane()); }
  PORTER_CG void sync() const { detail::wavefront_sync(); }
  PORTER_CG unsigned meta_group_rank() const { return 0; }
  PORTER_CG unsigned meta_group_size() const { return 1; }

  template <class T>
  PORTER_CG T shfl(T v, int rank) const {
    static_assert(std::is_arithmetic<T>::value, "only integers and floating-point numbers are shuffled");
    return __shfl(v, static_cast<int>(detail::nth_lane(mask_, rank % size_)), detail::kWavefront);
  }
  template <class T>
  PORTER_CG T shfl_down(T v, unsigned delta) const {
    const unsigned wanted = thread_rank() + delta;
    return shfl(v, wanted < size_ ? wanted : thread_rank());
  }
  template <class T>
  PORTER_CG T shfl_up(T v, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(v, delta <= rank ? rank - delta : rank);
  }

  PORTER_CG unsigned long long ballot(int predicate) const {
    const unsigned long long lanes = __ballot(predicate) & mask_;
    unsigned long long ranks = 0;
    for (unsigned rank = 0; rank < size_; ++rank) {
      ranks |= (lanes >> detail::nth_lane(mask_, rank) & 1ull) << rank;
    }
    return ranks;
  }
  PORTER_CG int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
  PORTER_CG int all(int predicate) const { return (__ballot(predicate) & mask_) == mask_; }

 private:
  PORTER_CG explicit coalesced_group(unsigned long long mask)
      : thread_group(group_kind::coalesced, __popcll(mask), mask) {}
  friend PORTER_CG coalesced_group coalesced_threads();
  template <class Group>
  friend PORTER_CG coalesced_group binary_partition(const Group&, bool);
};

PORTER_CG coalesced_group coalesced_threads() { return coalesced_group(__ballot(1)); }

// The lanes of the wavefront among those that call it which give the same answer as this one.
template <class Group>
PORTER_CG coalesced_group binary_partition(const Group&, bool predicate) {
  const unsigned long long yes = __ballot(predicate);
  return coalesced_group(predicate ? yes : __ballot(1) & ~yes);
}

// All blocks of a cooperative launch.
class grid_group {
 public:
  PORTER_CG bool is_valid() const { return __ockl_grid_is_valid(); }
  PORTER_CG void sync() const { __ockl_grid_sync(); }
  PORTER_CG unsigned long long size() const {
    return static_cast<unsigned long long>(detail::block_threads()) * gridDim.x * gridDim.y * gridDim.z;
  }
  PORTER_CG unsigned long long num_threads() const { return size(); }
  PORTER_CG unsigned long long thread_rank() const {
    const unsigned long long block = (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x;
    return (block + blockIdx.x) * detail::block_threads() + detail::block_rank();
  }
};

PORTER_CG grid_group this_grid() { return grid_group(); }

template <class Group>
PORTER_CG void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#undef PORTER_CG
