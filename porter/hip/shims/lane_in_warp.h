// needs: 
#ifndef PORTER_LANE_IN_WARP
#define PORTER_LANE_IN_WARP
// This lane's place in its group of 32; a wavefront of 64 holds two such groups.
__device__ __forceinline__ unsigned porter_lane_in_warp() { return __lane_id() & 31u; }
#endif
