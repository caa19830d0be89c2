// needs: 
#ifndef PORTER_LOAD_STREAMING
#define PORTER_LOAD_STREAMING
// Reads what will not be read again; scalars bypass the caches' retention, other types are plain reads.
template <typename T>
__device__ __forceinline__ T porter_load_streaming(const T* address) {
#if defined(__AMDGCN__)
  if constexpr (__is_arithmetic(T)) {
    return __builtin_nontemporal_load(address);
  }
#endif
  return *address;
}
#endif
