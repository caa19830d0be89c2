// needs:
#ifndef PORTER_ANY_WAVEFRONT
#define PORTER_ANY_WAVEFRONT
// Whether any lane of the wavefront votes yes.
__device__ __forceinline__ int porter_any_wavefront(int predicate) { return __any(predicate); }
#endif
