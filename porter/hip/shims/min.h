// needs:
#ifndef PORTER_MIN
#define PORTER_MIN
// CUDA's min of a signed and an unsigned integer is an integer; HIP's goes through double.
template <typename A, typename B>
__host__ __device__ constexpr auto porter_min(A a, B b) -> decltype(a + b) {
  return static_cast<decltype(a + b)>(b) < static_cast<decltype(a + b)>(a) ? b : a;
}
#endif
