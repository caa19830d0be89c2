// needs: ballot_sync
#ifndef PORTER_ALL_SYNC
#define PORTER_ALL_SYNC
// Whether no lane of this group of 32 that is in `mask` votes no.
__device__ __forceinline__ int porter_all_sync(unsigned mask, int predicate) {
  return porter_ballot_sync(mask, !predicate) == 0u;
}
#endif
