// PTX's integer and bit instructions.
#pragma once

#include "porter_sim/intrinsics.h"

namespace porter_sim {
namespace ptx {

// Each of four selectors takes a byte of b:a, or with its fourth bit set that byte's sign eight times.
constexpr unsigned prmt(unsigned a, unsigned b, unsigned selectors) {
  unsigned signs = 0;
  for (int i = 0; i < 4; ++i) {
    if (selectors >> (4 * i) & 8) signs |= 0xffu << (8 * i);
  }
  const unsigned bytes = __byte_perm(a, b, selectors);
  const unsigned spread = (bytes >> 7 & 0x01010101u) * 0xffu;
  return (bytes & ~signs) | (spread & signs);
}

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

// A part of a word, extended by its sign or by zeros.
template <int bits, bool is_signed>
int part(uint32_t word, int number) {
  const uint32_t there = word << (32 - bits * (number + 1)) >> (32 - bits);
  return is_signed ? int(there << (32 - bits)) >> (32 - bits) : int(there);
}

// The SIMD video instructions: the same operation on each part; the results, or `c` plus their sum.
template <int bits, bool a_signed, bool b_signed, bool d_signed, bool saturates, bool accumulates, class Operation>
uint32_t by_parts(uint32_t a, uint32_t b, uint32_t c, Operation operation) {
  constexpr int low = d_signed ? -(1 << (bits - 1)) : 0, high = d_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  uint32_t packed = 0, sum = c;
  for (int i = 0; i < 32 / bits; ++i) {
    int value = operation(part<bits, a_signed>(a, i), part<bits, b_signed>(b, i));
    if (saturates) value = std::clamp(value, low, high);
    packed |= (uint32_t(value) & ((1u << bits) - 1)) << (bits * i);
    sum += uint32_t(value);
  }
  return accumulates ? sum : packed;
}

}  // namespace ptx
}  // namespace porter_sim
