// The order of a radix sort: that of a key's bits, after signed and floating-point keys were made unsigned.
#pragma once

#include "porter_sim/cub/common.h"

namespace PORTER_CUB {

template <class Key>
unsigned long long radix_bits(const Key &key) {
  static_assert(sizeof(Key) <= 8, "keys have at most 64 bits");
  unsigned long long bits = 0;
  memcpy(&bits, &key, sizeof key);
  unsigned long long sign = 1ull << (sizeof(Key) * 8 - 1), all = sign | (sign - 1);
  constexpr bool real = !std::is_integral_v<Key>;
  if (real && bits == sign) bits = 0;  // -0 and +0 are equal
  if (real) return (bits & sign ? ~bits : bits | sign) & all;
  return std::is_signed_v<Key> ? bits ^ sign : bits;
}

// The digits from `begin_bit` to `end_bit`, so that a smaller number comes first.
template <class Key>
unsigned long long radix_digits(const Key &key, int begin_bit, int end_bit, bool descending) {
  int width = end_bit - begin_bit;
  unsigned long long mask = width >= 64 ? ~0ull : (1ull << width) - 1;
  unsigned long long digits = width <= 0 ? 0 : radix_bits(key) >> begin_bit & mask;
  return descending ? mask & ~digits : digits;
}

// The stable order of `count` keys: order[i] is where the i-th key of the result comes from.
template <class Keys, class Index>
void radix_order(Keys keys, Index *order, size_t count, int begin_bit, int end_bit, bool descending) {
  std::vector<std::pair<unsigned long long, Index>> digits(count);
  for (size_t i = 0; i < count; ++i) digits[i] = {radix_digits(keys[i], begin_bit, end_bit, descending), Index(i)};
  std::stable_sort(digits.begin(), digits.end(), [](auto &a, auto &b) { return a.first < b.first; });
  for (size_t i = 0; i < count; ++i) order[i] = digits[i].second;
}

}  // namespace PORTER_CUB
