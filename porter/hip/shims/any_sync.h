// needs: ballot_sync
#ifndef PORTER_ANY_SYNC
#define PORTER_ANY_SYNC
// Whether any lane of this group of 32 that is in `mask` votes yes.
__device__ __forceinline__ int porter_any_sync(unsigned mask, int predicate) {
  return porter_ballot_sync(mask, predicate) != 0u;
}
#endif
