// needs: 
#ifndef PORTER_SYNCWARP
#define PORTER_SYNCWARP
// Orders the memory accesses of a wavefront's lanes; its lanes already run in step.
__device__ __forceinline__ void porter_syncwarp() {
#if defined(HIP_VERSION) && HIP_VERSION < 70000000
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#else
  __syncwarp();
#endif
}
#endif
