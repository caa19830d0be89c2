// needs: 
#ifndef PORTER_SIMD_IN_WORD
#define PORTER_SIMD_IN_WORD
// CUDA's operations on two halves (names in 2) or four bytes (names in 4) of a word, lane by lane.
template <int Bits, bool Signed, typename Operation>
__device__ __forceinline__ unsigned porter_simd_in_word(unsigned a, unsigned b, Operation operation) {
  const unsigned mask = (1u << Bits) - 1u;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += Bits) {
    const unsigned x = a >> shift & mask, y = b >> shift & mask;
    const unsigned sign = Signed ? 1u << (Bits - 1) : 0u;
    const int left = static_cast<int>(x ^ sign) - static_cast<int>(sign);
    const int right = static_cast<int>(y ^ sign) - static_cast<int>(sign);
    result |= (static_cast<unsigned>(operation(left, right)) & mask) << shift;
  }
  return result;
}
#define PORTER_SIMD_OF(NAME, BITS, SIGNED, EXPRESSION)                                      \
  __device__ __forceinline__ unsigned porter_v##NAME(unsigned a, unsigned b) {              \
    return porter_simd_in_word<BITS, SIGNED>(a, b, [](int x, int y) {                       \
      constexpr int top = (1 << (BITS - (SIGNED ? 1 : 0))) - 1;                             \
      constexpr int low = SIGNED ? -top - 1 : 0;                                            \
      (void)top, (void)low, (void)y;                                                        \
      return EXPRESSION;                                                                    \
    });                                                                                     \
  }
#define PORTER_SIMD(NAME, SIGNED, EXPRESSION)     \
  PORTER_SIMD_OF(NAME##2, 16, SIGNED, EXPRESSION) \
  PORTER_SIMD_OF(NAME##4, 8, SIGNED, EXPRESSION)
#define PORTER_SIMD_COMPARE(NAME, SIGNED, OPERATOR)       \
  PORTER_SIMD(cmp##NAME, SIGNED, x OPERATOR y ? -1 : 0)   \
  PORTER_SIMD(set##NAME, SIGNED, x OPERATOR y ? 1 : 0)
PORTER_SIMD(add, false, x + y)
PORTER_SIMD(sub, false, x - y)
PORTER_SIMD(addss, true, x + y > top ? top : x + y < low ? low : x + y)
PORTER_SIMD(subss, true, x - y > top ? top : x - y < low ? low : x - y)
PORTER_SIMD(addus, false, x + y > top ? top : x + y)
PORTER_SIMD(subus, false, x - y < low ? low : x - y)
PORTER_SIMD(absdiffs, true, x > y ? x - y : y - x)
PORTER_SIMD(absdiffu, false, x > y ? x - y : y - x)
PORTER_SIMD(avgu, false, (x + y + 1) >> 1)
PORTER_SIMD(haddu, false, (x + y) >> 1)
PORTER_SIMD(maxs, true, x > y ? x : y)
PORTER_SIMD(maxu, false, x > y ? x : y)
PORTER_SIMD(mins, true, x < y ? x : y)
PORTER_SIMD(minu, false, x < y ? x : y)
PORTER_SIMD_COMPARE(eq, false, ==)
PORTER_SIMD_COMPARE(ne, false, !=)
PORTER_SIMD_COMPARE(ges, true, >=)
PORTER_SIMD_COMPARE(geu, false, >=)
PORTER_SIMD_COMPARE(gts, true, >)
PORTER_SIMD_COMPARE(gtu, false, >)
PORTER_SIMD_COMPARE(les, true, <=)
PORTER_SIMD_COMPARE(leu, false, <=)
PORTER_SIMD_COMPARE(lts, true, <)
PORTER_SIMD_COMPARE(ltu, false, <)
#undef PORTER_SIMD_COMPARE
#undef PORTER_SIMD
#undef PORTER_SIMD_OF
#endif
