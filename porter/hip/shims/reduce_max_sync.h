// needs: reduce_sync
#ifndef PORTER_REDUCE_MAX_SYNC
#define PORTER_REDUCE_MAX_SYNC
template <typename T>
__device__ __forceinline__ T porter_reduce_max_sync(unsigned mask, T value) {
  return porter_reduce_sync(mask, value, [](T a, T b) { return static_cast<T>(a < b ? b : a); });
}
#endif
