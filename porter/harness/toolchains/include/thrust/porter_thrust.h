// porter's own minimal rocThrust: containers and algorithms declared for host code to be parsed, functors and iterators
// that device code uses written out. It is searched after every real header, and a build that used it says so.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <iterator>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define PORTER_THRUST __host__ __device__

namespace thrust {
using std::system_error;
template <typename T> struct device_ptr {
  using value_type = T; using reference = T&; using pointer = device_ptr; using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  T* p = nullptr;
  PORTER_THRUST device_ptr() {}
  PORTER_THRUST explicit device_ptr(T* q) : p(q) {}
  PORTER_THRUST T* get() const { return p; }
  PORTER_THRUST T& operator*() const { return *p; }
  PORTER_THRUST T& operator[](ptrdiff_t i) const { return p[i]; }
  PORTER_THRUST device_ptr operator+(ptrdiff_t i) const { return device_ptr(p + i); }
  PORTER_THRUST device_ptr operator-(ptrdiff_t i) const { return device_ptr(p - i); }
  PORTER_THRUST ptrdiff_t operator-(const device_ptr& o) const { return p - o.p; }
  PORTER_THRUST device_ptr& operator++() { ++p; return *this; }
  PORTER_THRUST bool operator==(const device_ptr& o) const { return p == o.p; }
  PORTER_THRUST bool operator!=(const device_ptr& o) const { return p != o.p; }
  friend PORTER_THRUST void swap(device_ptr& a, device_ptr& b) { T* q = a.p; a.p = b.p; b.p = q; }
};
template <> struct device_ptr<void> {
  using value_type = void; using pointer = device_ptr; using difference_type = ptrdiff_t;
  void* p = nullptr;
  PORTER_THRUST device_ptr() {}
  PORTER_THRUST explicit device_ptr(void* q) : p(q) {}
  template <typename T> PORTER_THRUST device_ptr(const device_ptr<T>& o) : p(o.p) {}
  PORTER_THRUST void* get() const { return p; }
};
template <typename T> PORTER_THRUST T* raw_pointer_cast(T* p) { return p; }
template <typename T> PORTER_THRUST T* raw_pointer_cast(const device_ptr<T>& p) { return p.get(); }
template <typename T> PORTER_THRUST device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <typename T> device_ptr<T> device_malloc(size_t n);
device_ptr<void> device_malloc(size_t bytes);
template <typename T> void device_free(device_ptr<T> p);

template <typename T> struct device_reference {
  operator T() const;
  device_reference& operator=(const T&);
  device_reference& operator+=(const T&);
  device_ptr<T> operator&() const;
};
template <typename T> struct host_vector : std::vector<T> {
  using std::vector<T>::vector;
  template <typename V, typename = typename V::is_device_vector> host_vector(const V&);
  template <typename V, typename = typename V::is_device_vector> host_vector& operator=(const V&);
};
template <typename T> struct device_vector {
  using is_device_vector = void; using value_type = T; using reference = device_reference<T>; using size_type = size_t;
  using iterator = device_ptr<T>; using const_iterator = device_ptr<const T>; using pointer = device_ptr<T>;
  device_vector();
  explicit device_vector(size_t n);
  device_vector(size_t n, const T& v);
  template <typename I, typename = typename std::iterator_traits<I>::value_type> device_vector(I first, I last);
  device_vector(const std::vector<T>& v);
  device_vector(const device_vector&);
  ~device_vector();
  device_vector& operator=(const std::vector<T>&);
  device_vector& operator=(const device_vector&);
  iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const;
  const_iterator cbegin() const; const_iterator cend() const;
  device_reference<T> operator[](size_t i); T operator[](size_t i) const;
  device_reference<T> front(); device_reference<T> back();
  pointer data(); device_ptr<const T> data() const;
  size_t size() const; size_t capacity() const; bool empty() const;
  void resize(size_t n); void resize(size_t n, const T& v); void reserve(size_t n); void clear(); void shrink_to_fit();
  void push_back(const T& v); void swap(device_vector& o); iterator erase(iterator at); iterator erase(iterator a, iterator b);
  template <typename I> void assign(I first, I last);
  template <typename I> iterator insert(iterator at, I first, I last);
};
template <typename T> struct universal_vector : device_vector<T> { using device_vector<T>::device_vector; };

// Execution policies: every algorithm takes one in front, or none.
struct execution_policy_base {};
template <typename Derived> struct execution_policy_of : execution_policy_base {
  Derived on(hipStream_t) const;
  template <typename Allocator> Derived operator()(Allocator&&) const;
};
struct device_policy : execution_policy_of<device_policy> {};
struct host_policy : execution_policy_of<host_policy> {};
static const device_policy device{};
static const host_policy host{};
static const host_policy seq{};
namespace hip { static const device_policy par{}; static const device_policy par_nosync{}; using tag = device_policy; }
namespace system { namespace hip { using thrust::hip::par; } }

#define PORTER_THRUST_BINARY(NAME, RESULT, EXPRESSION)                                   \
  template <typename T = void> struct NAME {                                             \
    using first_argument_type = T; using second_argument_type = T; using result_type = RESULT; \
    PORTER_THRUST constexpr RESULT operator()(const T& a, const T& b) const { return EXPRESSION; } \
  };                                                                                     \
  template <> struct NAME<void> {                                                        \
    template <typename A, typename B> PORTER_THRUST constexpr auto operator()(const A& a, const B& b) const { return EXPRESSION; } \
  };
PORTER_THRUST_BINARY(plus, T, a + b)
PORTER_THRUST_BINARY(minus, T, a - b)
PORTER_THRUST_BINARY(multiplies, T, a * b)
PORTER_THRUST_BINARY(divides, T, a / b)
PORTER_THRUST_BINARY(modulus, T, a % b)
PORTER_THRUST_BINARY(maximum, T, a < b ? b : a)
PORTER_THRUST_BINARY(minimum, T, b < a ? b : a)
PORTER_THRUST_BINARY(bit_and, T, a & b)
PORTER_THRUST_BINARY(bit_or, T, a | b)
PORTER_THRUST_BINARY(bit_xor, T, a ^ b)
PORTER_THRUST_BINARY(less, bool, a < b)
PORTER_THRUST_BINARY(greater, bool, a > b)
PORTER_THRUST_BINARY(less_equal, bool, a <= b)
PORTER_THRUST_BINARY(greater_equal, bool, a >= b)
PORTER_THRUST_BINARY(equal_to, bool, a == b)
PORTER_THRUST_BINARY(not_equal_to, bool, a != b)
PORTER_THRUST_BINARY(logical_and, bool, a && b)
PORTER_THRUST_BINARY(logical_or, bool, a || b)
#undef PORTER_THRUST_BINARY
template <typename T> struct identity { PORTER_THRUST constexpr const T& operator()(const T& a) const { return a; } };
template <typename T> struct negate { PORTER_THRUST constexpr T operator()(const T& a) const { return -a; } };
template <typename T> struct square { PORTER_THRUST constexpr T operator()(const T& a) const { return a * a; } };
template <typename T> struct logical_not { PORTER_THRUST constexpr bool operator()(const T& a) const { return !a; } };
template <typename A, typename R> struct unary_function { using argument_type = A; using result_type = R; };
template <typename A, typename B, typename R> struct binary_function { using result_type = R; };
// Engines and distributions, as far as device code draws from them.
namespace random {
template <typename U, U A, U C, U M> struct linear_congruential_engine {
  using result_type = U;
  static constexpr U min = C == 0u ? 1u : 0u, max = M - 1u, default_seed = 1u;
  U state;
  PORTER_THRUST explicit linear_congruential_engine(U seed = default_seed) : state(seed % M ? seed % M : 1u) {}
  PORTER_THRUST void seed(U s = default_seed) { state = s % M ? s % M : 1u; }
  PORTER_THRUST U operator()() { return state = static_cast<U>((static_cast<unsigned long long>(A) * state + C) % M); }
  PORTER_THRUST void discard(unsigned long long n) { while (n-- > 0u) (*this)(); }
};
using minstd_rand0 = linear_congruential_engine<unsigned, 16807u, 0u, 2147483647u>;
using minstd_rand = linear_congruential_engine<unsigned, 48271u, 0u, 2147483647u>;
using default_random_engine = minstd_rand;
template <typename T = double> struct uniform_real_distribution {
  using result_type = T;
  T first, last;
  PORTER_THRUST explicit uniform_real_distribution(T a = T(0), T b = T(1)) : first(a), last(b) {}
  template <typename G> PORTER_THRUST T operator()(G& g) {
    return first + (last - first) * static_cast<T>((g() - G::min) / (1.0 + (G::max - G::min)));
  }
};
template <typename T = int> struct uniform_int_distribution {
  using result_type = T;
  T first, last;
  PORTER_THRUST explicit uniform_int_distribution(T a = T(0), T b = T(2147483647)) : first(a), last(b) {}
  template <typename G> PORTER_THRUST T operator()(G& g) {
    const double range = static_cast<double>(last) - first + 1.0;
    return first + static_cast<T>(range * ((g() - G::min) / (1.0 + (G::max - G::min))));
  }
};
template <typename T = double> struct normal_distribution {
  using result_type = T;
  T mean, deviation;
  PORTER_THRUST explicit normal_distribution(T m = T(0), T s = T(1)) : mean(m), deviation(s) {}
  template <typename G> PORTER_THRUST T operator()(G& g) {
    const double u = (g() - G::min + 1.0) / (2.0 + (G::max - G::min)), v = (g() - G::min) / (1.0 + (G::max - G::min));
    return mean + deviation * static_cast<T>(sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v));
  }
};
}
using random::default_random_engine; using random::linear_congruential_engine; using random::minstd_rand;
using random::minstd_rand0; using random::normal_distribution; using random::uniform_int_distribution;
using random::uniform_real_distribution;
namespace placeholders { struct placeholder {}; static const placeholder _1{}, _2{}, _3{}; }

using std::get; using std::make_pair; using std::make_tuple; using std::pair; using std::tie; using std::tuple;

template <typename T, typename Derived> struct generated_iterator {
  using value_type = T; using reference = T; using pointer = T*; using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  PORTER_THRUST ptrdiff_t operator-(const Derived&) const;
  PORTER_THRUST Derived& operator++();
  PORTER_THRUST bool operator!=(const Derived&) const;
};
template <typename T> struct counting_iterator : generated_iterator<T, counting_iterator<T>> {
  T value;
  PORTER_THRUST counting_iterator(T v = T()) : value(v) {}
  PORTER_THRUST T operator*() const { return value; }
  PORTER_THRUST T operator[](ptrdiff_t i) const { return value + static_cast<T>(i); }
  PORTER_THRUST counting_iterator operator+(ptrdiff_t i) const { return counting_iterator(value + static_cast<T>(i)); }
};
template <typename T> struct constant_iterator : generated_iterator<T, constant_iterator<T>> {
  T value;
  PORTER_THRUST constant_iterator(T v) : value(v) {}
  PORTER_THRUST T operator*() const { return value; }
  PORTER_THRUST constant_iterator operator+(ptrdiff_t) const { return *this; }
};
template <typename F, typename I> struct transform_iterator : generated_iterator<decltype(std::declval<F>()(*std::declval<I>())), transform_iterator<F, I>> {
  I base; F function;
  PORTER_THRUST transform_iterator(I i, F f) : base(i), function(f) {}
  PORTER_THRUST auto operator*() const { return function(*base); }
  PORTER_THRUST transform_iterator operator+(ptrdiff_t i) const { return transform_iterator(base + i, function); }
};
template <typename E, typename I> struct permutation_iterator : generated_iterator<typename std::iterator_traits<E>::value_type, permutation_iterator<E, I>> {
  E elements; I index;
  PORTER_THRUST permutation_iterator(E e, I i) : elements(e), index(i) {}
};
template <typename Tuple> struct zip_iterator : generated_iterator<Tuple, zip_iterator<Tuple>> {
  Tuple iterators;
  PORTER_THRUST explicit zip_iterator(Tuple t) : iterators(t) {}
};
// Takes every value and keeps none.
struct discard_iterator {
  struct sink { template <typename T> PORTER_THRUST const sink& operator=(const T&) const { return *this; } };
  using value_type = sink; using reference = sink; using pointer = sink*; using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  PORTER_THRUST discard_iterator(ptrdiff_t = 0) {}
  PORTER_THRUST sink operator*() const { return {}; }
  PORTER_THRUST sink operator[](ptrdiff_t) const { return {}; }
  PORTER_THRUST discard_iterator operator+(ptrdiff_t) const { return *this; }
};
PORTER_THRUST inline discard_iterator make_discard_iterator(ptrdiff_t at = 0) { return discard_iterator(at); }
template <typename T> PORTER_THRUST counting_iterator<T> make_counting_iterator(T v) { return counting_iterator<T>(v); }
template <typename T> PORTER_THRUST constant_iterator<T> make_constant_iterator(T v) { return constant_iterator<T>(v); }
template <typename I, typename F> PORTER_THRUST transform_iterator<F, I> make_transform_iterator(I i, F f) { return transform_iterator<F, I>(i, f); }
template <typename E, typename I> PORTER_THRUST permutation_iterator<E, I> make_permutation_iterator(E e, I i) { return permutation_iterator<E, I>(e, i); }
template <typename... I> PORTER_THRUST zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> t) { return zip_iterator<std::tuple<I...>>(t); }
template <typename... I> PORTER_THRUST zip_iterator<std::tuple<I...>> make_zip_iterator(I... i) { return zip_iterator<std::tuple<I...>>(std::make_tuple(i...)); }

template <typename I> using value_of = typename std::iterator_traits<I>::value_type;
template <typename P> using if_policy = std::enable_if_t<std::is_base_of<execution_policy_base, std::decay_t<P>>::value, int>;
// An algorithm with and without a policy: its template parameters, result, name and parameters.
#define PORTER_UNPACK(...) __VA_ARGS__
#define PORTER_ALGORITHM(T, R, NAME, ...)                                                \
  template <PORTER_UNPACK T> R NAME(__VA_ARGS__);                                        \
  template <typename P, PORTER_UNPACK T, if_policy<const P&> = 0> R NAME(const P&, __VA_ARGS__);
#define PORTER_T1 (typename I)
#define PORTER_T2 (typename I, typename A)
#define PORTER_T3 (typename I, typename A, typename B)
#define PORTER_T4 (typename I, typename A, typename B, typename C)
#define PORTER_T5 (typename I, typename A, typename B, typename C, typename D)
PORTER_ALGORITHM(PORTER_T2, void, fill, I, I, const A&)
PORTER_ALGORITHM((typename I, typename N, typename A), I, fill_n, I, N, const A&)
PORTER_ALGORITHM(PORTER_T2, void, uninitialized_fill, I, I, const A&)
PORTER_ALGORITHM(PORTER_T2, A, copy, I, I, A)
PORTER_ALGORITHM((typename I, typename N, typename A), A, copy_n, I, N, A)
PORTER_ALGORITHM(PORTER_T3, A, copy_if, I, I, A, B)
PORTER_ALGORITHM((typename I, typename S, typename A, typename B), A, copy_if, I, I, S, A, B)
PORTER_ALGORITHM(PORTER_T1, void, sequence, I, I)
PORTER_ALGORITHM(PORTER_T2, void, sequence, I, I, A)
PORTER_ALGORITHM(PORTER_T3, void, sequence, I, I, A, B)
PORTER_ALGORITHM(PORTER_T2, void, generate, I, I, A)
PORTER_ALGORITHM(PORTER_T2, void, tabulate, I, I, A)
PORTER_ALGORITHM(PORTER_T3, A, transform, I, I, A, B)
PORTER_ALGORITHM(PORTER_T4, B, transform, I, I, A, B, C)
PORTER_ALGORITHM(PORTER_T4, A, transform_if, I, I, A, B, C)
PORTER_ALGORITHM(PORTER_T2, I, for_each, I, I, A)
PORTER_ALGORITHM((typename I, typename N, typename A), I, for_each_n, I, N, A)
PORTER_ALGORITHM(PORTER_T1, value_of<I>, reduce, I, I)
PORTER_ALGORITHM(PORTER_T2, A, reduce, I, I, A)
PORTER_ALGORITHM(PORTER_T3, A, reduce, I, I, A, B)
PORTER_ALGORITHM(PORTER_T4, B, transform_reduce, I, I, A, B, C)
PORTER_ALGORITHM(PORTER_T3, B, inner_product, I, I, A, B)
PORTER_ALGORITHM((typename I, typename A, typename B, typename C, typename D), B, inner_product, I, I, A, B, C, D)
template <typename I, typename A, typename B, typename C> std::pair<B, C> reduce_by_key(I, I, A, B, C);
template <typename I, typename A, typename B, typename C, typename D> std::pair<B, C> reduce_by_key(I, I, A, B, C, D);
template <typename I, typename A, typename B, typename C, typename D, typename E> std::pair<B, C> reduce_by_key(I, I, A, B, C, D, E);
template <typename I, typename A, typename B, typename C> std::pair<B, C> unique_by_key_copy(I, I, A, B, C);
template <typename I, typename A, typename B, typename C, typename D> std::pair<B, C> unique_by_key_copy(I, I, A, B, C, D);
PORTER_ALGORITHM(PORTER_T2, A, inclusive_scan, I, I, A)
PORTER_ALGORITHM(PORTER_T3, A, inclusive_scan, I, I, A, B)
PORTER_ALGORITHM(PORTER_T2, A, exclusive_scan, I, I, A)
PORTER_ALGORITHM(PORTER_T3, A, exclusive_scan, I, I, A, B)
PORTER_ALGORITHM(PORTER_T4, A, exclusive_scan, I, I, A, B, C)
PORTER_ALGORITHM(PORTER_T3, B, inclusive_scan_by_key, I, I, A, B)
PORTER_ALGORITHM(PORTER_T4, B, inclusive_scan_by_key, I, I, A, B, C)
PORTER_ALGORITHM(PORTER_T5, B, inclusive_scan_by_key, I, I, A, B, C, D)
PORTER_ALGORITHM(PORTER_T3, B, exclusive_scan_by_key, I, I, A, B)
PORTER_ALGORITHM(PORTER_T2, A, adjacent_difference, I, I, A)
PORTER_ALGORITHM(PORTER_T3, A, adjacent_difference, I, I, A, B)
PORTER_ALGORITHM(PORTER_T1, void, sort, I, I)
PORTER_ALGORITHM(PORTER_T2, void, sort, I, I, A)
PORTER_ALGORITHM(PORTER_T1, void, stable_sort, I, I)
PORTER_ALGORITHM(PORTER_T2, void, stable_sort, I, I, A)
PORTER_ALGORITHM(PORTER_T2, void, sort_by_key, I, I, A)
PORTER_ALGORITHM(PORTER_T3, void, sort_by_key, I, I, A, B)
PORTER_ALGORITHM(PORTER_T2, void, stable_sort_by_key, I, I, A)
PORTER_ALGORITHM(PORTER_T3, void, stable_sort_by_key, I, I, A, B)
PORTER_ALGORITHM(PORTER_T1, bool, is_sorted, I, I)
PORTER_ALGORITHM(PORTER_T1, I, unique, I, I)
PORTER_ALGORITHM(PORTER_T2, I, unique, I, I, A)
PORTER_ALGORITHM(PORTER_T2, A, unique_copy, I, I, A)
PORTER_ALGORITHM(PORTER_T2, I, remove_if, I, I, A)
PORTER_ALGORITHM(PORTER_T2, I, remove, I, I, const A&)
PORTER_ALGORITHM(PORTER_T2, I, partition, I, I, A)
PORTER_ALGORITHM(PORTER_T3, void, replace, I, I, const A&, const B&)
PORTER_ALGORITHM(PORTER_T3, void, replace_if, I, I, A, const B&)
PORTER_ALGORITHM(PORTER_T3, B, gather, I, I, A, B)
PORTER_ALGORITHM(PORTER_T3, void, scatter, I, I, A, B)
PORTER_ALGORITHM(PORTER_T2, ptrdiff_t, count, I, I, const A&)
PORTER_ALGORITHM(PORTER_T2, ptrdiff_t, count_if, I, I, A)
PORTER_ALGORITHM(PORTER_T2, I, find, I, I, const A&)
PORTER_ALGORITHM(PORTER_T2, I, find_if, I, I, A)
PORTER_ALGORITHM(PORTER_T1, I, max_element, I, I)
PORTER_ALGORITHM(PORTER_T2, I, max_element, I, I, A)
PORTER_ALGORITHM(PORTER_T1, I, min_element, I, I)
PORTER_ALGORITHM(PORTER_T2, I, min_element, I, I, A)
PORTER_ALGORITHM((typename I), PORTER_UNPACK(std::pair<I, I>), minmax_element, I, I)
PORTER_ALGORITHM(PORTER_T2, bool, equal, I, I, A)
PORTER_ALGORITHM(PORTER_T2, bool, all_of, I, I, A)
PORTER_ALGORITHM(PORTER_T2, bool, any_of, I, I, A)
PORTER_ALGORITHM(PORTER_T2, bool, none_of, I, I, A)
PORTER_ALGORITHM(PORTER_T2, I, lower_bound, I, I, const A&)
PORTER_ALGORITHM(PORTER_T2, I, upper_bound, I, I, const A&)
PORTER_ALGORITHM(PORTER_T4, B, lower_bound, I, I, A, C, B)
PORTER_ALGORITHM(PORTER_T3, B, merge, I, I, A, A, B)
PORTER_ALGORITHM(PORTER_T3, B, set_intersection, I, I, A, A, B)
PORTER_ALGORITHM(PORTER_T3, B, set_union, I, I, A, A, B)
PORTER_ALGORITHM(PORTER_T2, void, reverse, I, A)
PORTER_ALGORITHM(PORTER_T2, A, swap_ranges, I, I, A)
template <typename I> ptrdiff_t distance(I a, I b);
template <typename I> void advance(I& i, ptrdiff_t n);

template <typename T> struct complex {
  T re, im;
  PORTER_THRUST constexpr complex(T a = T(), T b = T()) : re(a), im(b) {}
  PORTER_THRUST constexpr T real() const { return re; }
  PORTER_THRUST constexpr T imag() const { return im; }
  PORTER_THRUST complex& operator+=(const complex& o) { re += o.re; im += o.im; return *this; }
};
template <typename T> PORTER_THRUST complex<T> operator+(complex<T> a, complex<T> b) { return complex<T>(a.re + b.re, a.im + b.im); }
template <typename T> PORTER_THRUST complex<T> operator-(complex<T> a, complex<T> b) { return complex<T>(a.re - b.re, a.im - b.im); }
template <typename T> PORTER_THRUST complex<T> operator*(complex<T> a, complex<T> b) { return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
}  // namespace thrust
