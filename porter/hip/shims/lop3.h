// needs: 
#ifndef PORTER_LOP3
#define PORTER_LOP3
// Any function of three bits, by its truth table.
__device__ __forceinline__ unsigned porter_lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (unsigned row = 0; row < 8u; ++row) {
    if ((table >> row) & 1u) {
      result |= (row & 4u ? a : ~a) & (row & 2u ? b : ~b) & (row & 1u ? c : ~c);
    }
  }
  return result;
}
#endif
