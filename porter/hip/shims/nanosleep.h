// needs: 
#ifndef PORTER_NANOSLEEP
#define PORTER_NANOSLEEP
// Waits for about `nanoseconds`, in steps of 64 cycles at 2 GHz or so.
__device__ __forceinline__ void porter_nanosleep(unsigned nanoseconds) {
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN__)
  for (unsigned waited = 0; waited < nanoseconds; waited += 32u) {
    __builtin_amdgcn_s_sleep(1);
  }
#else
  (void)nanoseconds;
#endif
}
#endif
