// A 16-bit floating type with its pair, operators and conversions. Included once for half and once for bfloat16,
// which define PORTER_H (the type), PORTER_H2 (the pair), PORTER_RAW, PORTER_RAW2 (their bits as structures),
// PORTER_FORMAT, PORTER_NAME16 (the word in conversion names: half, bfloat16) and PORTER_NAME162 (half2, bfloat162).
// Every operation is computed so that only its last rounding, to 16 bits, shows: as the hardware does.

struct __attribute__((aligned(2))) PORTER_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) PORTER_RAW2 {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) PORTER_H {
  unsigned short bits;

  PORTER_H() = default;
  PORTER_H(float x) : bits(PORTER_FORMAT::pack(x)) {}
  PORTER_H(double x) : bits(PORTER_FORMAT::pack(::porter_sim::to_odd(x))) {}
  PORTER_H(PORTER_RAW raw) : bits(raw.x) {}
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  PORTER_H(I x) : bits(PORTER_FORMAT::pack(::porter_sim::to_odd((long double)x))) {}
  static PORTER_H of_bits(unsigned short b) { return PORTER_RAW{b}; }
  // Of a value in double that stands for the exact result (rounded to odd where it is not exact).
  static PORTER_H rounded(double x, ::porter_sim::Direction d = ::porter_sim::Direction::nearest) {
    return of_bits(PORTER_FORMAT::pack(::porter_sim::to_odd(x), d));
  }
  operator float() const { return PORTER_FORMAT::unpack(bits); }
  operator PORTER_RAW() const { return {bits}; }
  template <class X>
  PORTER_H &operator+=(const X &x) { return *this = rounded(::porter_sim::sum_to_odd(float(*this), float(x))); }
  template <class X>
  PORTER_H &operator-=(const X &x) { return *this = rounded(::porter_sim::sum_to_odd(float(*this), -float(x))); }
  template <class X>
  PORTER_H &operator*=(const X &x) { return *this = rounded(double(float(*this)) * float(x)); }
  template <class X>
  PORTER_H &operator/=(const X &x) { return *this = rounded(double(float(*this)) / float(x)); }
  PORTER_H &operator++() { return *this += 1.0f; }
  PORTER_H &operator--() { return *this -= 1.0f; }
  PORTER_H operator++(int) {
    PORTER_H old = *this;
    *this += 1.0f;
    return old;
  }
  PORTER_H operator--(int) {
    PORTER_H old = *this;
    *this -= 1.0f;
    return old;
  }
};

struct __attribute__((aligned(4))) PORTER_H2 {
  PORTER_H x, y;

  PORTER_H2() = default;
  PORTER_H2(PORTER_H a, PORTER_H b) : x(a), y(b) {}
  PORTER_H2(PORTER_RAW2 raw) : x(PORTER_H::of_bits(raw.x)), y(PORTER_H::of_bits(raw.y)) {}
  operator PORTER_RAW2() const { return {x.bits, y.bits}; }
};

namespace porter_sim {
template <>
struct ShuffledAs<PORTER_H> {
  using type = PORTER_H;
};
template <>
struct ShuffledAs<PORTER_H2> {
  using type = PORTER_H2;
};
}  // namespace porter_sim

#define PORTER_OPERATOR(op, value)                                                                     \
  inline PORTER_H operator op(PORTER_H a, PORTER_H b) {                                                \
    double x = float(a), y = float(b);                                                                 \
    return PORTER_H::rounded(value);                                                                   \
  }                                                                                                    \
  inline PORTER_H2 operator op(PORTER_H2 a, PORTER_H2 b) { return {a.x op b.x, a.y op b.y}; }          \
  inline PORTER_H2 &operator op##=(PORTER_H2 &a, PORTER_H2 b) { return a = a op b; }
PORTER_OPERATOR(+, ::porter_sim::sum_to_odd(x, y))
PORTER_OPERATOR(-, ::porter_sim::sum_to_odd(x, -y))
PORTER_OPERATOR(*, x *y)
PORTER_OPERATOR(/, x / y)
#undef PORTER_OPERATOR
inline PORTER_H operator-(PORTER_H a) { return PORTER_H::of_bits(a.bits ^ 0x8000); }
inline PORTER_H operator+(PORTER_H a) { return a; }
inline PORTER_H2 operator-(PORTER_H2 a) { return {-a.x, -a.y}; }
inline PORTER_H2 operator+(PORTER_H2 a) { return a; }

#define PORTER_COMPARISON(op)                                                   \
  inline bool operator op(PORTER_H a, PORTER_H b) { return float(a) op float(b); } \
  inline bool operator op(PORTER_H2 a, PORTER_H2 b) { return a.x op b.x && a.y op b.y; }
PORTER_COMPARISON(==)
PORTER_COMPARISON(<)
PORTER_COMPARISON(<=)
PORTER_COMPARISON(>)
PORTER_COMPARISON(>=)
#undef PORTER_COMPARISON
inline bool operator!=(PORTER_H a, PORTER_H b) { return float(a) != float(b); }
// As CUDA's __hbneu2 has it: both halves differ, or are unordered.
inline bool operator!=(PORTER_H2 a, PORTER_H2 b) { return a.x != b.x && a.y != b.y; }

#define PORTER_PASTE3_(a, b, c) a##b##c
#define PORTER_PASTE3(a, b, c) PORTER_PASTE3_(a, b, c)
#define PORTER_TO16(from, suffix) PORTER_PASTE3(__##from##2, PORTER_NAME16, suffix)
#define PORTER_FROM16(to) PORTER_PASTE3(__, PORTER_NAME16, 2##to)

// With each rounding, from float and from and to the integers.
#define PORTER_DIRECTION(suffix, direction, whole)                                                                  \
  inline PORTER_H PORTER_TO16(float, suffix)(float x) {                                                             \
    return PORTER_H::of_bits(PORTER_FORMAT::pack(x, ::porter_sim::Direction::direction));                           \
  }                                                                                                                 \
  PORTER_INTEGER(int, int, suffix, direction, whole)                                                                \
  PORTER_INTEGER(uint, unsigned, suffix, direction, whole)                                                          \
  PORTER_INTEGER(short, short, suffix, direction, whole)                                                            \
  PORTER_INTEGER(ushort, unsigned short, suffix, direction, whole)                                                  \
  PORTER_INTEGER(ll, long long, suffix, direction, whole)                                                           \
  PORTER_INTEGER(ull, unsigned long long, suffix, direction, whole)
#define PORTER_INTEGER(name, I, suffix, direction, whole)                                                           \
  inline PORTER_H PORTER_TO16(name, suffix)(I x) {                                                                  \
    return PORTER_H::of_bits(                                                                                       \
        PORTER_FORMAT::pack(::porter_sim::to_odd((long double)x), ::porter_sim::Direction::direction));             \
  }                                                                                                                 \
  inline I PORTER_FROM16(name##suffix)(PORTER_H x) { return ::porter_sim::to_integer<I>(whole(double(float(x)))); }
PORTER_DIRECTION(_rn, nearest, std::nearbyint)
PORTER_DIRECTION(_rz, zero, std::trunc)
PORTER_DIRECTION(_ru, up, std::ceil)
PORTER_DIRECTION(_rd, down, std::floor)
#undef PORTER_DIRECTION
#undef PORTER_INTEGER
inline PORTER_H PORTER_TO16(float, )(float x) { return PORTER_H(x); }
inline PORTER_H PORTER_TO16(double, )(double x) { return PORTER_H(x); }
inline float PORTER_FROM16(float)(PORTER_H x) { return float(x); }
inline signed char PORTER_FROM16(char_rz)(PORTER_H x) { return ::porter_sim::to_integer<signed char>(std::trunc(float(x))); }
inline unsigned char PORTER_FROM16(uchar_rz)(PORTER_H x) { return ::porter_sim::to_integer<unsigned char>(std::trunc(float(x))); }
inline short PORTER_PASTE3(__, PORTER_NAME16, _as_short)(PORTER_H x) { return short(x.bits); }
inline unsigned short PORTER_PASTE3(__, PORTER_NAME16, _as_ushort)(PORTER_H x) { return x.bits; }
inline PORTER_H PORTER_PASTE3(__short_as_, PORTER_NAME16, )(short x) { return PORTER_H::of_bits((unsigned short)x); }
inline PORTER_H PORTER_PASTE3(__ushort_as_, PORTER_NAME16, )(unsigned short x) { return PORTER_H::of_bits(x); }

// Pairs.
inline PORTER_H2 PORTER_PASTE3(__float2, PORTER_NAME162, _rn)(float x) { return {PORTER_H(x), PORTER_H(x)}; }
inline PORTER_H2 PORTER_PASTE3(__floats2, PORTER_NAME162, _rn)(float x, float y) { return {PORTER_H(x), PORTER_H(y)}; }
inline PORTER_H2 PORTER_PASTE3(__float22, PORTER_NAME162, _rn)(float2 v) { return {PORTER_H(v.x), PORTER_H(v.y)}; }
inline PORTER_H2 PORTER_PASTE3(make_, PORTER_NAME162, )(PORTER_H x, PORTER_H y) { return {x, y}; }
inline PORTER_H PORTER_PASTE3(__low2, PORTER_NAME16, )(PORTER_H2 v) { return v.x; }
inline PORTER_H PORTER_PASTE3(__high2, PORTER_NAME16, )(PORTER_H2 v) { return v.y; }
inline float __low2float(PORTER_H2 v) { return float(v.x); }
inline float __high2float(PORTER_H2 v) { return float(v.y); }
inline PORTER_H2 __lowhigh2highlow(PORTER_H2 v) { return {v.y, v.x}; }
inline PORTER_H2 PORTER_PASTE3(__halves2, PORTER_NAME162, )(PORTER_H x, PORTER_H y) { return {x, y}; }
inline PORTER_H2 PORTER_PASTE3(__low2, PORTER_NAME162, )(PORTER_H2 v) { return {v.x, v.x}; }
inline PORTER_H2 PORTER_PASTE3(__high2, PORTER_NAME162, )(PORTER_H2 v) { return {v.y, v.y}; }
inline PORTER_H2 PORTER_PASTE3(__lows2, PORTER_NAME162, )(PORTER_H2 a, PORTER_H2 b) { return {a.x, b.x}; }
inline PORTER_H2 PORTER_PASTE3(__highs2, PORTER_NAME162, )(PORTER_H2 a, PORTER_H2 b) { return {a.y, b.y}; }

#include "porter_sim/float16_functions.h"

#undef PORTER_FROM16
#undef PORTER_TO16
#undef PORTER_PASTE3
#undef PORTER_PASTE3_
#undef PORTER_H
#undef PORTER_H2
#undef PORTER_RAW
#undef PORTER_RAW2
#undef PORTER_FORMAT
#undef PORTER_NAME16
#undef PORTER_NAME162
