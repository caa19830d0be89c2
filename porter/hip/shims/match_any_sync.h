// needs: ballot_sync lane_in_warp
#ifndef PORTER_MATCH_ANY_SYNC
#define PORTER_MATCH_ANY_SYNC
// The lanes of this group of 32 that are in `mask` and hold the same bits as this one.
template <typename T>
__device__ __forceinline__ unsigned porter_match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match works on values of 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  unsigned rest = porter_ballot_sync(mask, 1);
  unsigned peers = 0;
  while (rest != 0u) {
    const unsigned long long leader = __shfl(bits, __ffs(static_cast<int>(rest)) - 1, 32);
    const unsigned same = porter_ballot_sync(mask, bits == leader);
    if (bits == leader) {
      peers = same;
    }
    rest &= ~same;
  }
  return peers;
}
#endif
