// needs: reduce_sync
#ifndef PORTER_REDUCE_XOR_SYNC
#define PORTER_REDUCE_XOR_SYNC
template <typename T>
__device__ __forceinline__ T porter_reduce_xor_sync(unsigned mask, T value) {
  return porter_reduce_sync(mask, value, [](T a, T b) { return static_cast<T>(a ^ b); });
}
#endif
