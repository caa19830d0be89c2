// needs:
#ifndef PORTER_ATOMIC_ADD
#define PORTER_ATOMIC_ADD
// atomicAdd on 16-bit floats and pairs of them: compare-and-swap on the aligned word that holds the value.
template <typename T, typename V>
__device__ __forceinline__ T porter_atomic_add(T* address, V value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit float or a pair of them");
  const unsigned long long place = reinterpret_cast<unsigned long long>(address);
  unsigned* word = reinterpret_cast<unsigned*>(place & ~3ull);
  const unsigned shift = sizeof(T) == 2 ? static_cast<unsigned>(place & 2ull) * 8u : 0u;
  const unsigned mask = (sizeof(T) == 2 ? 0xffffu : 0xffffffffu) << shift;
  unsigned seen = *word;
  for (;;) {
    const unsigned held = (seen & mask) >> shift;
    T old = T();
    __builtin_memcpy(&old, &held, sizeof(T));
    const T sum = old + T(value);
    unsigned bits = 0;
    __builtin_memcpy(&bits, &sum, sizeof(T));
    const unsigned found = atomicCAS(word, seen, (seen & ~mask) | (bits << shift));
    if (found == seen) {
      return old;
    }
    seen = found;
  }
}
#endif
