// needs: wide_word
#ifndef PORTER_VECTOR
#define PORTER_VECTOR
// N neighbouring elements in one access of up to 16 bytes: global_load_dwordx4 instead of N narrow loads. It
// pays where a kernel streams through memory: a quarter of the instructions for the same lines. The address
// must be a multiple of the access; porter_are_aligned tells, and callers keep the plain form for the rest.
template <int N, typename T>
struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) porter_vector {
  T v[N];
};
template <typename T>
struct porter_without_const {
  typedef T type;
};
template <typename T>
struct porter_without_const<const T> {
  typedef T type;
};
template <int N, typename T>
__device__ __forceinline__ porter_vector<N, typename porter_without_const<T>::type> porter_load_vector(T* from) {
  typedef porter_vector<N, typename porter_without_const<T>::type> vector;
  typedef typename porter_wide_word<sizeof(vector)>::type word;
  const word loaded = *reinterpret_cast<const word*>(from);
  vector value;
  __builtin_memcpy(&value, &loaded, sizeof(vector));
  return value;
}
// A vector of `to`'s elements that will be stored without having been loaded.
template <int N, typename T>
__device__ __forceinline__ porter_vector<N, T> porter_new_vector(T*) {
  return porter_vector<N, T>();
}
template <int N, typename T>
__device__ __forceinline__ void porter_store_vector(T* to, const porter_vector<N, T>& value) {
  typedef typename porter_wide_word<sizeof(value)>::type word;
  word stored;
  __builtin_memcpy(&stored, &value, sizeof(value));
  *reinterpret_cast<word*>(to) = stored;
}
// Whether N elements from `address` on can be accessed at once.
template <int N, typename T>
__device__ __forceinline__ bool porter_are_aligned(const T* address) {
  return reinterpret_cast<unsigned long long>(address) % alignof(porter_vector<N, T>) == 0;
}
// Whether `count` elements of two buffers are in different memory; `same` also allows one buffer for both.
template <typename A, typename B>
__device__ __forceinline__ bool porter_are_separate(const A* a, const B* b, unsigned long long count, bool same) {
  const unsigned long long first = reinterpret_cast<unsigned long long>(a);
  const unsigned long long second = reinterpret_cast<unsigned long long>(b);
  return first + count * sizeof(A) <= second || second + count * sizeof(B) <= first ||
         (same && first == second && sizeof(A) == sizeof(B));
}
#endif
