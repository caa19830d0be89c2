// porter's own minimal hipCUB: operators, iterators and small types.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST_DEVICE __host__ __device__
#define PORTER_CUB __device__ __forceinline__

namespace hipcub {
#define PORTER_CUB_BINARY(NAME, EXPRESSION)                                                      \
  struct NAME {                                                                                  \
    template <typename T>                                                                        \
    __host__ __device__ constexpr T operator()(const T& a, const T& b) const {                   \
      return EXPRESSION;                                                                         \
    }                                                                                            \
  };
PORTER_CUB_BINARY(Sum, a + b)
PORTER_CUB_BINARY(Difference, a - b)
PORTER_CUB_BINARY(Division, a / b)
PORTER_CUB_BINARY(Max, b > a ? b : a)
PORTER_CUB_BINARY(Min, b < a ? b : a)
#undef PORTER_CUB_BINARY
struct Equality { template <typename T> __host__ __device__ constexpr bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <typename T> __host__ __device__ constexpr bool operator()(const T& a, const T& b) const { return a != b; } };

template <typename K, typename V> struct KeyValuePair { K key; V value; };
struct ArgMax {
  template <typename K, typename V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return (b.value > a.value || (a.value == b.value && b.key < a.key)) ? b : a;
  }
};
struct ArgMin {
  template <typename K, typename V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return (b.value < a.value || (a.value == b.value && b.key < a.key)) ? b : a;
  }
};
struct NullType {};
template <typename T> struct Uninitialized { alignas(T) unsigned char storage[sizeof(T)]; __device__ T& Alias() { return *reinterpret_cast<T*>(storage); } };

template <typename T> struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

template <typename T, typename Offset = ptrdiff_t> struct CountingInputIterator {
  using value_type = T; using reference = T; using pointer = T*; using difference_type = Offset;
  T value;
  __host__ __device__ explicit CountingInputIterator(T v) : value(v) {}
  __host__ __device__ T operator*() const { return value; }
  __host__ __device__ T operator[](Offset i) const { return value + static_cast<T>(i); }
  __host__ __device__ CountingInputIterator operator+(Offset i) const { return CountingInputIterator(value + static_cast<T>(i)); }
};
template <typename T, typename Offset = ptrdiff_t> struct ConstantInputIterator {
  using value_type = T; using reference = T; using pointer = T*; using difference_type = Offset;
  T value;
  __host__ __device__ explicit ConstantInputIterator(T v, Offset = 0) : value(v) {}
  __host__ __device__ T operator*() const { return value; }
  __host__ __device__ T operator[](Offset) const { return value; }
};
template <typename T, typename Convert, typename Input, typename Offset = ptrdiff_t> struct TransformInputIterator {
  using value_type = T; using reference = T; using pointer = T*; using difference_type = Offset;
  Input input;
  Convert convert;
  __host__ __device__ TransformInputIterator(Input i, Convert c) : input(i), convert(c) {}
  __host__ __device__ T operator*() const { return convert(*input); }
  __host__ __device__ T operator[](Offset i) const { return convert(input[i]); }
  __host__ __device__ TransformInputIterator operator+(Offset i) const { return TransformInputIterator(input + i, convert); }
};
template <typename Input, typename Offset = ptrdiff_t> struct ArgIndexInputIterator {
  Input input;
  __host__ __device__ explicit ArgIndexInputIterator(Input i) : input(i) {}
};
template <typename T> __host__ __device__ constexpr T DivideAndRoundUp(T n, T d) { return (n + d - 1) / d; }
__device__ __forceinline__ unsigned LaneId() { return __lane_id(); }
}  // namespace hipcub
