// needs: 
#ifndef PORTER_BALLOT_SYNC
#define PORTER_BALLOT_SYNC
// The votes of this lane's group of 32, out of the wavefront's 64-bit ballot.
__device__ __forceinline__ unsigned porter_ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u)) & mask;
}
#endif
