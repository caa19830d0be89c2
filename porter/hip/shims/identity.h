// needs:
#ifndef PORTER_IDENTITY
#define PORTER_IDENTITY
// The function object that returns its argument: std::identity is C++20's, and not of device code.
struct porter_identity {
  template <typename T>
  __host__ __device__ constexpr T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};
#endif
