// needs:
#ifndef PORTER_SAD4
#define PORTER_SAD4
// The sum of the absolute differences of four bytes.
__device__ inline unsigned porter_sad4(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < 32; i += 8) {
    const int difference = static_cast<int>(a >> i & 255u) - static_cast<int>(b >> i & 255u);
    sum += difference < 0 ? -difference : difference;
  }
  return sum;
}
#endif
