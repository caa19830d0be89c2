// Integer SIMD intrinsics: two 16-bit or four 8-bit lanes of a word. Each lane is computed in int and cut or
// saturated to the lane's type, as the CUDA math API documents them.
#pragma once

#include "porter_sim/config.h"

namespace porter_sim {

template <class Lane>
constexpr unsigned lane_bits = sizeof(Lane) * 8;

template <class Lane>
constexpr int lane_of(unsigned word, unsigned at) {
  return int(Lane(word >> (at * lane_bits<Lane>)));
}
template <class Lane>
constexpr unsigned place(int value, unsigned at) {
  return unsigned(std::make_unsigned_t<Lane>(value)) << (at * lane_bits<Lane>);
}
template <class Lane>
constexpr int saturate_lane(int value) {
  constexpr int low = std::numeric_limits<Lane>::min(), high = std::numeric_limits<Lane>::max();
  return value < low ? low : value > high ? high : value;
}

template <class Lane, class Change>
constexpr unsigned by_lane(unsigned a, Change change) {
  unsigned result = 0;
  for (unsigned at = 0; at < 4 / sizeof(Lane); ++at) result |= place<Lane>(change(lane_of<Lane>(a, at)), at);
  return result;
}
template <class Lane, class Combine>
constexpr unsigned by_lanes(unsigned a, unsigned b, Combine combine) {
  unsigned result = 0;
  for (unsigned at = 0; at < 4 / sizeof(Lane); ++at) {
    result |= place<Lane>(combine(lane_of<Lane>(a, at), lane_of<Lane>(b, at)), at);
  }
  return result;
}
template <class Lane, class Combine>
constexpr unsigned sum_lanes(unsigned a, unsigned b, Combine combine) {
  unsigned sum = 0;
  for (unsigned at = 0; at < 4 / sizeof(Lane); ++at) sum += unsigned(combine(lane_of<Lane>(a, at), lane_of<Lane>(b, at)));
  return sum;
}

}  // namespace porter_sim

#define PORTER_LANES1(name, Lane, expression)                                                     \
  constexpr unsigned name(unsigned a) {                                                           \
    using L = Lane;                                                                               \
    return ::porter_sim::by_lane<L>(a, [](int x) { return int(expression); });                    \
  }
#define PORTER_LANES2(name, Lane, expression)                                                     \
  constexpr unsigned name(unsigned a, unsigned b) {                                               \
    using L = Lane;                                                                               \
    return ::porter_sim::by_lanes<L>(a, b, [](int x, int y) { return int(expression); });         \
  }
#define PORTER_SUM(name, Lane, expression)                                                        \
  constexpr unsigned name(unsigned a, unsigned b) {                                               \
    using L = Lane;                                                                               \
    return ::porter_sim::sum_lanes<L>(a, b, [](int x, int y) { return int(expression); });        \
  }
#define PORTER_COMPARE(what, n, S, U, suffix, op)                \
  PORTER_LANES2(__vcmp##what##suffix##n, S, x op y ? -1 : 0)     \
  PORTER_LANES2(__vset##what##suffix##n, S, x op y ? 1 : 0)

#define PORTER_SIMD(n, S, U)                                                            \
  PORTER_LANES1(__vabs##n, S, x < 0 ? -x : x)                                           \
  PORTER_LANES1(__vabsss##n, S, ::porter_sim::saturate_lane<L>(x < 0 ? -x : x))         \
  PORTER_LANES1(__vneg##n, S, -x)                                                       \
  PORTER_LANES1(__vnegss##n, S, ::porter_sim::saturate_lane<L>(-x))                     \
  PORTER_LANES2(__vabsdiffs##n, S, x < y ? y - x : x - y)                               \
  PORTER_LANES2(__vabsdiffu##n, U, x < y ? y - x : x - y)                               \
  PORTER_LANES2(__vadd##n, S, x + y)                                                    \
  PORTER_LANES2(__vaddss##n, S, ::porter_sim::saturate_lane<L>(x + y))                  \
  PORTER_LANES2(__vaddus##n, U, ::porter_sim::saturate_lane<L>(x + y))                  \
  PORTER_LANES2(__vsub##n, S, x - y)                                                    \
  PORTER_LANES2(__vsubss##n, S, ::porter_sim::saturate_lane<L>(x - y))                  \
  PORTER_LANES2(__vsubus##n, U, ::porter_sim::saturate_lane<L>(x - y))                  \
  PORTER_LANES2(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)                             \
  PORTER_LANES2(__vavgu##n, U, (x + y + 1) >> 1)                                        \
  PORTER_LANES2(__vhaddu##n, U, (x + y) >> 1)                                           \
  PORTER_LANES2(__vmaxs##n, S, x < y ? y : x)                                           \
  PORTER_LANES2(__vmaxu##n, U, x < y ? y : x)                                           \
  PORTER_LANES2(__vmins##n, S, y < x ? y : x)                                           \
  PORTER_LANES2(__vminu##n, U, y < x ? y : x)                                           \
  PORTER_SUM(__vsads##n, S, x < y ? y - x : x - y)                                      \
  PORTER_SUM(__vsadu##n, U, x < y ? y - x : x - y)                                      \
  PORTER_COMPARE(eq, n, S, U, , ==)                                                     \
  PORTER_COMPARE(ne, n, S, U, , !=)                                                     \
  PORTER_COMPARE(ge, n, S, U, s, >=)                                                    \
  PORTER_COMPARE(gt, n, S, U, s, >)                                                     \
  PORTER_COMPARE(le, n, S, U, s, <=)                                                    \
  PORTER_COMPARE(lt, n, S, U, s, <)                                                     \
  PORTER_COMPARE(ge, n, U, U, u, >=)                                                    \
  PORTER_COMPARE(gt, n, U, U, u, >)                                                     \
  PORTER_COMPARE(le, n, U, U, u, <=)                                                    \
  PORTER_COMPARE(lt, n, U, U, u, <)
PORTER_SIMD(2, short, unsigned short)
PORTER_SIMD(4, signed char, unsigned char)
#undef PORTER_SIMD
#undef PORTER_COMPARE
#undef PORTER_SUM

// DPX: additions, minima and maxima of whole words and of halves, with a lower bound of zero as `_relu`.
#define PORTER_WORDS(kind, T)                                                                        \
  constexpr T __vimax3_##kind(T a, T b, T c) { return a < b ? (b < c ? c : b) : (a < c ? c : a); }   \
  constexpr T __vimin3_##kind(T a, T b, T c) { return b < a ? (c < b ? c : b) : (c < a ? c : a); }   \
  constexpr T __viaddmax_##kind(T a, T b, T c) { return T(a + b) < c ? c : T(a + b); }               \
  constexpr T __viaddmin_##kind(T a, T b, T c) { return c < T(a + b) ? c : T(a + b); }               \
  constexpr T __vibmax_##kind(T a, T b, bool *first) { return (*first = a >= b) ? a : b; }           \
  constexpr T __vibmin_##kind(T a, T b, bool *first) { return (*first = a <= b) ? a : b; }
PORTER_WORDS(s32, int)
PORTER_WORDS(u32, unsigned)
#undef PORTER_WORDS
constexpr int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
constexpr int __vimin_s32_relu(int a, int b) { return b < a ? (b < 0 ? 0 : b) : (a < 0 ? 0 : a); }
constexpr int __vimax3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__vimax3_s32(a, b, c), 0); }
constexpr int __vimin3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__vimin3_s32(a, b, c), 0); }
constexpr int __viaddmax_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__viaddmax_s32(a, b, c), 0); }
constexpr int __viaddmin_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__viaddmin_s32(a, b, c), 0); }
#define PORTER_HALVES(kind, maximum, minimum)                                                                       \
  constexpr unsigned __vimax3_##kind(unsigned a, unsigned b, unsigned c) { return maximum(maximum(a, b), c); }      \
  constexpr unsigned __vimin3_##kind(unsigned a, unsigned b, unsigned c) { return minimum(minimum(a, b), c); }      \
  constexpr unsigned __viaddmax_##kind(unsigned a, unsigned b, unsigned c) { return maximum(__vadd2(a, b), c); }    \
  constexpr unsigned __viaddmin_##kind(unsigned a, unsigned b, unsigned c) { return minimum(__vadd2(a, b), c); }
PORTER_HALVES(s16x2, __vmaxs2, __vmins2)
PORTER_HALVES(u16x2, __vmaxu2, __vminu2)
#undef PORTER_HALVES
constexpr unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
constexpr unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
constexpr unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_relu(__vmaxs2(a, b), c); }
constexpr unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimin_s16x2_relu(__vmins2(a, b), c); }
constexpr unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_relu(__vadd2(a, b), c); }
constexpr unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimin_s16x2_relu(__vadd2(a, b), c); }

#undef PORTER_LANES1
#undef PORTER_LANES2
