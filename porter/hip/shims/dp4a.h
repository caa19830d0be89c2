// needs: 
#ifndef PORTER_DP4A
#define PORTER_DP4A
// The sum of four products of bytes, added to `c`.
__device__ __forceinline__ int porter_dp4a(int a, int b, int c) {
  for (int shift = 0; shift < 32; shift += 8) {
    c += static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
  }
  return c;
}
__device__ __forceinline__ unsigned porter_dp4a(unsigned a, unsigned b, unsigned c) {
  for (int shift = 0; shift < 32; shift += 8) {
    c += ((a >> shift) & 0xffu) * ((b >> shift) & 0xffu);
  }
  return c;
}
#endif
