// Registers of inline PTX as words of bits, and the types that its instructions read them as.
#pragma once

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

}  // namespace ptx
}  // namespace porter_sim
