// needs: ballot_sync
#ifndef PORTER_ACTIVEMASK
#define PORTER_ACTIVEMASK
// The active lanes of this lane's group of 32.
__device__ __forceinline__ unsigned porter_activemask() { return porter_ballot_sync(0xffffffffu, 1); }
#endif
