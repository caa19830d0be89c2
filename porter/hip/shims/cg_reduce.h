// needs:
#ifndef PORTER_CG_REDUCE
#define PORTER_CG_REDUCE
#include <hip/hip_cooperative_groups.h>
// cooperative_groups::reduce: a butterfly over tiles, whose size is a power of two; every lane gets the result.
// Values travel as 32-bit words, so that structs and 16-bit floats can be reduced too.
template <typename Group, typename T, typename Combine>
__device__ __forceinline__ T porter_cg_reduce(const Group& group, T value, Combine combine) {
  constexpr unsigned words = (sizeof(T) + 3u) / 4u;
  for (unsigned offset = group.size() / 2u; offset > 0u; offset /= 2u) {
    unsigned parts[words] = {};
    __builtin_memcpy(parts, &value, sizeof(T));
    for (unsigned i = 0; i < words; ++i) {
      parts[i] = group.shfl_xor(parts[i], offset);
    }
    T other = value;
    __builtin_memcpy(&other, parts, sizeof(T));
    value = combine(value, other);
  }
  return value;
}
// The lanes of a coalesced group, of any number, one after the other: HIP gives it no shfl_xor.
template <typename T, typename Combine>
__device__ __forceinline__ T porter_cg_reduce(const cooperative_groups::coalesced_group& group, T value, Combine combine) {
  constexpr unsigned words = (sizeof(T) + 3u) / 4u;
  unsigned parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(T));
  T result = value;
  for (unsigned rank = 0; rank < group.size(); ++rank) {
    unsigned theirs[words];
    for (unsigned i = 0; i < words; ++i) theirs[i] = group.shfl(parts[i], rank);
    T other = value;
    __builtin_memcpy(&other, theirs, sizeof(T));
    result = rank == 0u ? other : combine(result, other);
  }
  return result;
}
#endif
