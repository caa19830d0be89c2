// needs: ballot_sync
#ifndef PORTER_REDUCE_SYNC
#define PORTER_REDUCE_SYNC
// Combines the values of the lanes of this group of 32 that are in `mask`.
template <typename T, typename Combine>
__device__ __forceinline__ T porter_reduce_sync(unsigned mask, T value, Combine combine) {
  unsigned rest = porter_ballot_sync(mask, 1);
  if (rest == 0xffffffffu) {
    for (int offset = 16; offset > 0; offset /= 2) {
      value = combine(value, __shfl_xor(value, offset, 32));
    }
    return value;
  }
  T total = __shfl(value, __ffs(static_cast<int>(rest)) - 1, 32);
  for (rest &= rest - 1u; rest != 0u; rest &= rest - 1u) {
    total = combine(total, __shfl(value, __ffs(static_cast<int>(rest)) - 1, 32));
  }
  return total;
}
#endif
