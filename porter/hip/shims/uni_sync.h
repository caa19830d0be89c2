// needs: ballot_sync
#ifndef PORTER_UNI_SYNC
#define PORTER_UNI_SYNC
// Whether all lanes of this group of 32 that are in `mask` vote the same.
__device__ __forceinline__ int porter_uni_sync(unsigned mask, int predicate) {
  return porter_ballot_sync(mask, predicate) == 0u || porter_ballot_sync(mask, !predicate) == 0u;
}
#endif
