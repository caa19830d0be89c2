// needs:
#ifndef PORTER_BALLOT_WAVEFRONT
#define PORTER_BALLOT_WAVEFRONT
// The votes of the 64 lanes of a wavefront.
__device__ __forceinline__ unsigned long long porter_ballot_wavefront(int predicate) { return __ballot(predicate); }
#endif
