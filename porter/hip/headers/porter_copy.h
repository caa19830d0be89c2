// The copies of memcpy_async, done when they are called for, and the waits of cooperative groups; added by porter.
//
// CDNA copies from global to shared memory through registers: the copy means the same, but nothing overlaps with it
// unless the compiler moves the loads up. Widths follow from the promised alignment, or from the addresses.
#ifndef PORTER_COPY_H
#define PORTER_COPY_H

#include <hip/hip_runtime.h>

#include <stddef.h>
#include <stdint.h>

namespace porter_cuda {

template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

namespace detail {

template <class Size>
inline constexpr size_t promised = 1;
template <size_t Alignment>
inline constexpr size_t promised<aligned_size_t<Alignment>> = Alignment;

template <class Unit>
__device__ inline void copy_units(void* to, const void* from, size_t bytes, unsigned first, unsigned step) {
  for (size_t i = first; i < bytes / sizeof(Unit); i += step) {
    static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
  }
}

// Units `first`, `first + step` ... of the copy.
template <size_t Alignment>
__device__ inline void copy_share(void* to, const void* from, size_t bytes, unsigned first, unsigned step) {
  if constexpr (Alignment >= 16) {
    copy_units<uint4>(to, from, bytes, first, step);
  } else {
    const uintptr_t bits = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
    if ((bits & 15u) == 0) {
      copy_units<uint4>(to, from, bytes, first, step);
    } else if (Alignment >= 4 || (bits & 3u) == 0) {
      copy_units<unsigned>(to, from, bytes, first, step);
    } else {
      copy_units<unsigned char>(to, from, bytes, first, step);
    }
  }
}

template <size_t Alignment>
__device__ inline void copy(void* to, const void* from, size_t bytes) {
  copy_share<Alignment>(to, from, bytes, 0, 1);
}

}  // namespace detail
}  // namespace porter_cuda

// cooperative_groups::memcpy_async: each thread of the group copies its share.
template <class Group, class To, class From, class Size>
__device__ inline void porter_cg_memcpy_async(const Group& group, To* to, const From* from, const Size& bytes) {
  porter_cuda::detail::copy_share<porter_cuda::detail::promised<Size>>(
      to, from, static_cast<size_t>(bytes), static_cast<unsigned>(group.thread_rank()), static_cast<unsigned>(group.size()));
}
// With layouts as counts of elements: what fits both is copied.
template <class Group, class T, class ToLayout, class FromLayout>
__device__ inline void porter_cg_memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                                              const FromLayout& from_layout) {
  const size_t here = static_cast<size_t>(to_layout), there = static_cast<size_t>(from_layout);
  porter_cg_memcpy_async(group, to, from, sizeof(T) * (here < there ? here : there));
}
template <class Group>
__device__ inline void porter_cg_wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group>
__device__ inline void porter_cg_wait_prior(const Group& group) {
  group.sync();
}

// cuda_pipeline.h's copies of 4, 8 or 16 bytes, aligned to their size, of which the last `zeros` are zero.
__device__ inline void porter_pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  using porter_cuda::detail::copy_units;
  if (zeros != 0) {
    copy_units<unsigned char>(to, from, bytes - zeros, 0, 1);
    for (size_t i = bytes - zeros; i < bytes; ++i) static_cast<unsigned char*>(to)[i] = 0;
  } else if (bytes == 16) {
    copy_units<uint4>(to, from, bytes, 0, 1);
  } else if (bytes == 8) {
    copy_units<uint2>(to, from, bytes, 0, 1);
  } else {
    copy_units<unsigned>(to, from, bytes, 0, 1);
  }
}

// The copies are over: nothing is left to close or to wait for.
__device__ inline void porter_pipeline_commit() {}
__device__ inline void porter_pipeline_wait_prior(size_t) {}

#endif
