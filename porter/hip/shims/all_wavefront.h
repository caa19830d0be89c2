// needs:
#ifndef PORTER_ALL_WAVEFRONT
#define PORTER_ALL_WAVEFRONT
// Whether every lane of the wavefront that is active votes yes.
__device__ __forceinline__ int porter_all_wavefront(int predicate) { return __all(predicate); }
#endif
