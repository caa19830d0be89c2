// The functions that inline PTX is rewritten to: registers as words of bits, and arithmetic.
#pragma once

#include "porter_sim/intrinsics.h"
#include "porter_sim/tf32.h"

namespace porter_sim {
namespace ptx {

template <int bits>
struct BitsOf;
template <>
struct BitsOf<1> {
  using type = bool;
};
template <>
struct BitsOf<16> {
  using type = uint16_t;
};
template <>
struct BitsOf<32> {
  using type = uint32_t;
};
template <>
struct BitsOf<64> {
  using type = uint64_t;
};
template <int bits>
using Bits = typename BitsOf<bits>::type;

// The 16-bit formats as bits, so that programs need no vendor's header.
template <class Format>
struct Small {
  uint16_t bits;
  Small() = default;
  explicit Small(double x) : bits(Format::pack(to_odd(x))) {}
  static Small of(double x, Direction d) {
    Small s;
    s.bits = Format::pack(to_odd(x), d);
    return s;
  }
  operator double() const { return Format::unpack(bits); }
};
using Half = Small<HalfFormat>;
using Bfloat = Small<BfloatFormat>;
template <class One>
struct Pair {
  One x, y;
};
using Half2 = Pair<Half>;
using Bfloat2 = Pair<Bfloat>;
struct Tf32 {};

template <class T>
inline constexpr bool is_small = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>;
template <class T>
inline constexpr bool is_pair = std::is_same_v<T, Half2> || std::is_same_v<T, Bfloat2>;

// An operand of the statement as the bits of its register.
template <int bits, bool real, class T>
Bits<bits> word(const T &value) {
  if constexpr (real) {
    using Real = std::conditional_t<bits == 32, float, double>;
    return bit_copy<Bits<bits>>(Real(value));
  } else if constexpr (std::is_pointer_v<T>) {
    return Bits<bits>(reinterpret_cast<uint64_t>(value));
  } else if constexpr (std::is_array_v<T>) {
    return Bits<bits>(reinterpret_cast<uint64_t>(&value[0]));
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return Bits<bits>(value);
  } else {
    return bit_copy<Bits<bits>>(value);
  }
}
template <bool real, class T, class Word>
void give(T &target, Word bits) {
  if constexpr (real) {
    using Real = std::conditional_t<sizeof(Word) == 4, float, double>;
    target = T(bit_copy<Real>(bits));
  } else if constexpr (std::is_pointer_v<T>) {
    target = reinterpret_cast<T>(uint64_t(bits));
  } else if constexpr (std::is_integral_v<T>) {
    target = T(bits);
  } else {
    target = bit_copy<T>(bits);
  }
}

// A register read as T, which may be narrower, and written with a T, which an integer widens by its sign.
template <class T, class Word>
T as(Word bits) {
  if constexpr (std::is_integral_v<T>) {
    return T(bits);
  } else {
    return bit_copy<T>(Bits<8 * int(sizeof(T))>(bits));
  }
}
template <class T, class Word>
void put(Word &target, T value) {
  if constexpr (std::is_integral_v<T>) {
    target = Word(value);
  } else {
    target = Word(bit_copy<Bits<8 * int(sizeof(T))>>(value));
  }
}
template <class T, class... Parts>
T packed(Parts... parts) {
  T word = 0;
  int at = 0;
  ((word |= T(parts) << at, at += 8 * int(sizeof(Parts))), ...);
  return word;
}

inline float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
template <class T>
T saturated(T x) {
  if constexpr (is_pair<T>) {
    return {saturated(x.x), saturated(x.y)};
  } else {
    double value = double(x);
    return value > 0 ? (value < 1 ? x : T(1.0)) : T(0.0);
  }
}

inline Direction direction(Rounding r) {
  return r == Rounding::zero ? Direction::zero : r == Rounding::up ? Direction::up : r == Rounding::down ? Direction::down : Direction::nearest;
}

// Floats by CUDA's intrinsics of that rounding; 16-bit formats in double, rounded once.
#define PORTER_ROUNDINGS(intrinsic, ...)                                                    \
  switch (rounding) {                                                                       \
    case Rounding::zero: return intrinsic##_rz(__VA_ARGS__);                                \
    case Rounding::up: return intrinsic##_ru(__VA_ARGS__);                                  \
    case Rounding::down: return intrinsic##_rd(__VA_ARGS__);                                \
    default: return intrinsic##_rn(__VA_ARGS__);                                            \
  }
#define PORTER_BINARY(name, small)                                                          \
  inline float name(float a, float b, Rounding rounding) { PORTER_ROUNDINGS(::__f##name, a, b) }  \
  inline double name(double a, double b, Rounding rounding) { PORTER_ROUNDINGS(::__d##name, a, b) } \
  template <class T, class = std::enable_if_t<is_small<T>>>                                 \
  T name(T a, T b, Rounding rounding) {                                                     \
    double x = a, y = b;                                                                    \
    return T::of(small, direction(rounding));                                               \
  }                                                                                         \
  template <class One>                                                                      \
  Pair<One> name(Pair<One> a, Pair<One> b, Rounding r) {                                    \
    return {name(a.x, b.x, r), name(a.y, b.y, r)};                                          \
  }
PORTER_BINARY(add, sum_to_odd(x, y))
PORTER_BINARY(sub, sum_to_odd(x, -y))
PORTER_BINARY(mul, x *y)
PORTER_BINARY(div, x / y)
#undef PORTER_BINARY
inline float fma(float a, float b, float c, Rounding rounding) { PORTER_ROUNDINGS(::__fmaf, a, b, c) }
inline double fma(double a, double b, double c, Rounding rounding) { PORTER_ROUNDINGS(::__fma, a, b, c) }
template <class T, class = std::enable_if_t<is_small<T>>>
T fma(T a, T b, T c, Rounding rounding) {
  return T::of(sum_to_odd(double(a) * double(b), double(c)), direction(rounding));
}
template <class One>
Pair<One> fma(Pair<One> a, Pair<One> b, Pair<One> c, Rounding r) {
  return {fma(a.x, b.x, c.x, r), fma(a.y, b.y, c.y, r)};
}
inline float sqrt(float a, Rounding rounding) { PORTER_ROUNDINGS(::__fsqrt, a) }
inline double sqrt(double a, Rounding rounding) { PORTER_ROUNDINGS(::__dsqrt, a) }
inline float rcp(float a, Rounding rounding) { PORTER_ROUNDINGS(::__frcp, a) }
inline double rcp(double a, Rounding rounding) { PORTER_ROUNDINGS(::__drcp, a) }
#undef PORTER_ROUNDINGS

#define PORTER_INTEGER2(name, expression)                                       \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>           \
  constexpr T name(T a, T b) {                                                  \
    return T(expression);                                                       \
  }
PORTER_INTEGER2(add, std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b))
PORTER_INTEGER2(sub, std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b))
PORTER_INTEGER2(div, a / b)
PORTER_INTEGER2(rem, a % b)
#undef PORTER_INTEGER2
inline int add_sat(int a, int b) { return int(std::clamp<long long>((long long)a + b, INT32_MIN, INT32_MAX)); }
inline int sub_sat(int a, int b) { return int(std::clamp<long long>((long long)a - b, INT32_MIN, INT32_MAX)); }

template <class T>
struct Twice;
template <>
struct Twice<int16_t> {
  using type = int32_t;
};
template <>
struct Twice<uint16_t> {
  using type = uint32_t;
};
template <>
struct Twice<int32_t> {
  using type = int64_t;
};
template <>
struct Twice<uint32_t> {
  using type = uint64_t;
};
template <>
struct Twice<int64_t> {
  using type = __int128;
};
template <>
struct Twice<uint64_t> {
  using type = unsigned __int128;
};
template <class T>
typename Twice<T>::type mul_wide(T a, T b) {
  return typename Twice<T>::type(a) * b;
}
template <class T>
T mul_lo(T a, T b) {
  return T(mul_wide(a, b));
}
template <class T>
T mul_hi(T a, T b) {
  return T(mul_wide(a, b) >> (8 * sizeof(T)));
}

// The carry flag lives from one instruction to the next, also across statements of one thread.
inline PORTER_TLS unsigned carry;
template <bool takes, bool sets, class T>
T add_carry(T a, T b) {
  unsigned in = takes ? carry : 0;
  T sum = T(a + b), total = T(sum + in);
  if (sets) carry = sum < a || total < sum;
  return total;
}
template <bool takes, bool sets, class T>
T sub_carry(T a, T b) {
  unsigned in = takes ? carry : 0;
  T difference = T(a - b), total = T(difference - in);
  if (sets) carry = a < b || difference < T(in);
  return total;
}

// PTX's order of minima: a number rather than NaN, -0 below +0; `_nan` lets NaN through.
template <class T>
T min(T a, T b) {
  if constexpr (is_pair<T>) {
    return {min(a.x, b.x), min(a.y, b.y)};
  } else if constexpr (std::is_integral_v<T>) {
    return b < a ? b : a;
  } else {
    double x = double(a), y = double(b);
    return x != x ? b : y != y ? a : x == y ? (std::signbit(x) ? a : b) : x < y ? a : b;
  }
}
template <class T>
T max(T a, T b) {
  if constexpr (is_pair<T>) {
    return {max(a.x, b.x), max(a.y, b.y)};
  } else if constexpr (std::is_integral_v<T>) {
    return a < b ? b : a;
  } else {
    double x = double(a), y = double(b);
    return x != x ? b : y != y ? a : x == y ? (std::signbit(x) ? b : a) : x < y ? b : a;
  }
}
template <class T>
T min_nan(T a, T b) {
  return double(a) != double(a) ? a : double(b) != double(b) ? b : ptx::min(a, b);
}
template <class T>
T max_nan(T a, T b) {
  return double(a) != double(a) ? a : double(b) != double(b) ? b : ptx::max(a, b);
}
template <class T>
T abs(T a) {
  if constexpr (is_pair<T>) {
    return {abs(a.x), abs(a.y)};
  } else if constexpr (is_small<T>) {
    a.bits &= 0x7fff;
    return a;
  } else if constexpr (std::is_integral_v<T>) {
    return a < 0 ? T(-std::make_unsigned_t<T>(a)) : a;
  } else {
    return std::fabs(a);
  }
}
template <class T>
T neg(T a) {
  if constexpr (is_pair<T>) {
    return {neg(a.x), neg(a.y)};
  } else if constexpr (is_small<T>) {
    a.bits ^= 0x8000;
    return a;
  } else if constexpr (std::is_integral_v<T>) {
    return T(-std::make_unsigned_t<T>(a));
  } else {
    return -a;
  }
}
// PTX gives the first operand's sign to the second's magnitude.
template <class T>
T copysign(T a, T b) {
  return std::copysign(b, a);
}
template <class T>
T sad(T a, T b, T c) {
  using U = std::make_unsigned_t<T>;
  return T(U(c) + (a < b ? U(b) - U(a) : U(a) - U(b)));
}

template <class T>
T cnot(T a) {
  return a == 0;
}
template <class T>
T shl(T a, uint32_t by) {
  return by >= 8 * sizeof(T) ? T(0) : T(a << by);
}
template <class T>
T shr(T a, uint32_t by) {
  return T(a >> (by >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : by)) >> (by >= 8 * sizeof(T) && std::is_unsigned_v<T> ? 1 : 0);
}
inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if (table >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  }
  return result;
}
// A field of `length` bits from `start` on; what lies beyond the word is filled with its sign.
template <class T>
T bfe(T a, uint32_t start, uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned top = 8 * sizeof(T) - 1;
  start &= 0xff, length &= 0xff;
  unsigned last = std::min(start + (length ? length - 1 : 0), top);
  bool sign = std::is_signed_v<T> && length && (U(a) >> last & 1);
  U field = 0;
  for (unsigned i = 0; i <= top; ++i) {
    bool bit = i < length && start + i <= top ? U(a) >> (start + i) & 1 : sign;
    field |= U(bit) << i;
  }
  return T(field);
}
template <class T>
T bfi(T a, T b, uint32_t start, uint32_t length) {
  start &= 0xff, length &= 0xff;
  for (unsigned i = 0; i < length && start + i < 8 * sizeof(T); ++i) {
    T bit = T(1) << (start + i);
    b = (a >> i & 1) ? b | bit : b & ~bit;
  }
  return b;
}
template <class T>
uint32_t popc(T a) {
  return uint32_t(__builtin_popcountll(uint64_t(std::make_unsigned_t<T>(a))));
}
template <class T>
uint32_t clz(T a) {
  return sizeof(T) == 4 ? uint32_t(::__clz(int(a))) : uint32_t(::__clzll((long long)a));
}
template <class T>
T brev(T a) {
  return sizeof(T) == 4 ? T(::__brev(uint32_t(a))) : T(::__brevll(uint64_t(a)));
}
// The position of the highest bit that differs from the sign.
template <class T>
uint32_t bfind(T a) {
  if (std::is_signed_v<T> && a < 0) a = T(~a);
  return a == 0 ? ~0u : uint32_t(8 * sizeof(T)) - 1 - clz(a);
}
template <class A, class B, class Sum>
Sum dp4a(A a, B b, Sum sum) {
  using LaneA = std::conditional_t<std::is_signed_v<A>, int8_t, uint8_t>;
  using LaneB = std::conditional_t<std::is_signed_v<B>, int8_t, uint8_t>;
  for (int i = 0; i < 4; ++i) sum += Sum(int(LaneA(a >> 8 * i)) * int(LaneB(b >> 8 * i)));
  return sum;
}
template <class A, class B, class Sum>
Sum dp2a(A a, B b, Sum sum, int first) {
  using LaneA = std::conditional_t<std::is_signed_v<A>, int16_t, uint16_t>;
  using LaneB = std::conditional_t<std::is_signed_v<B>, int8_t, uint8_t>;
  for (int i = 0; i < 2; ++i) sum += Sum(int(LaneA(a >> 16 * i)) * int(LaneB(b >> 8 * (first + i))));
  return sum;
}

#define PORTER_COMPARE(name, op)             \
  template <class T>                         \
  bool name(T a, T b) {                      \
    return a op b;                           \
  }                                          \
  template <class T>                         \
  bool name##u(T a, T b) {                   \
    return a != a || b != b || a op b;       \
  }
PORTER_COMPARE(eq, ==)
PORTER_COMPARE(lt, <)
PORTER_COMPARE(le, <=)
PORTER_COMPARE(gt, >)
PORTER_COMPARE(ge, >=)
#undef PORTER_COMPARE
template <class T>
bool num(T a, T b) {
  return a == a && b == b;
}
template <class T>
bool nan(T a, T b) {
  return !num(a, b);
}
template <class T>
bool ne(T a, T b) {
  return num(a, b) && a != b;
}
template <class T>
bool neu(T a, T b) {
  return a != b;
}

// The approximate functions, computed exactly and rounded: they are what an approximation is compared with.
#define PORTER_APPROXIMATE(name, expression)  \
  template <class T>                          \
  T name(T a) {                               \
    if constexpr (is_pair<T>) {               \
      return {name(a.x), name(a.y)};          \
    } else {                                  \
      double x = double(a);                   \
      return T(expression);                   \
    }                                         \
  }
PORTER_APPROXIMATE(ex2, std::exp2(x))
PORTER_APPROXIMATE(lg2, std::log2(x))
PORTER_APPROXIMATE(sin, std::sin(x))
PORTER_APPROXIMATE(cos, std::cos(x))
PORTER_APPROXIMATE(tanh, std::tanh(x))
PORTER_APPROXIMATE(rsqrt, 1 / std::sqrt(x))
#undef PORTER_APPROXIMATE

}  // namespace ptx
}  // namespace porter_sim
