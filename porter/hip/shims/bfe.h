// needs: 
#ifndef PORTER_BFE
#define PORTER_BFE
// PTX's bit field extract: `length` bits from `start`, the sign from the field's top bit for a signed value.
template <typename T>
__device__ __forceinline__ T porter_bfe(T value, unsigned start, unsigned length) {
  start &= 0xffu;
  length &= 0xffu;
  const unsigned top = start + length > 32u ? 31u : start + length - 1u;
  const bool negative = static_cast<T>(-1) < static_cast<T>(0) && length != 0u && (static_cast<unsigned>(value) >> top & 1u);
  const unsigned fill = negative ? 0xffffffffu : 0u;
  const unsigned moved = start < 32u ? static_cast<unsigned>(value) >> start : 0u;
  const unsigned width = length > 32u ? 32u : length;
  const unsigned kept = start < 32u && width > 32u - start ? 32u - start : start < 32u ? width : 0u;
  const unsigned mask = kept == 32u ? 0xffffffffu : (1u << kept) - 1u;
  return static_cast<T>(length == 0u ? 0u : (moved & mask) | (fill & ~mask));
}
#endif
