// needs: 
#ifndef PORTER_STORE_STREAMING
#define PORTER_STORE_STREAMING
// Writes what will not be read again; scalars bypass the caches' retention, other types are plain writes.
template <typename T, typename V>
__device__ __forceinline__ void porter_store_streaming(T* address, V value) {
#if defined(__AMDGCN__)
  if constexpr (__is_arithmetic(T)) {
    __builtin_nontemporal_store(static_cast<T>(value), address);
    return;
  }
#endif
  *address = value;
}
#endif
