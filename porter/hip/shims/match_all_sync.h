// needs: match_any_sync all_sync
#ifndef PORTER_MATCH_ALL_SYNC
#define PORTER_MATCH_ALL_SYNC
// `mask` when all its lanes in this group of 32 hold the same bits, else 0.
template <typename T>
__device__ __forceinline__ unsigned porter_match_all_sync(unsigned mask, T value, int* all) {
  *all = porter_all_sync(mask, porter_match_any_sync(mask, value) == porter_ballot_sync(mask, 1));
  return *all ? mask : 0u;
}
#endif
