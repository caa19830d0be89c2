// needs: 
#ifndef PORTER_BFI
#define PORTER_BFI
// PTX's bit field insert: the low `length` bits of `field` into `base` at `start`.
__device__ __forceinline__ unsigned porter_bfi(unsigned field, unsigned base, unsigned start, unsigned length) {
  start &= 0xffu;
  length &= 0xffu;
  if (start > 31u) {
    return base;
  }
  const unsigned mask = (length > 31u ? 0xffffffffu : (1u << length) - 1u) << start;
  return (base & ~mask) | ((field << start) & mask);
}
#endif
