// needs:
#ifndef PORTER_MAX
#define PORTER_MAX
// CUDA's max of a signed and an unsigned integer is an integer; HIP's goes through double.
template <typename A, typename B>
__host__ __device__ constexpr auto porter_max(A a, B b) -> decltype(a + b) {
  return static_cast<decltype(a + b)>(a) < static_cast<decltype(a + b)>(b) ? b : a;
}
#endif
