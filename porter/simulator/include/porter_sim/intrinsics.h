// Integer and bit intrinsics, reinterpretation, conversions with a named rounding, and clocks.
#pragma once

#include <time.h>

#include "porter_sim/atomics.h"
#include "porter_sim/math.h"

constexpr int __popc(unsigned x) { return __builtin_popcount(x); }
constexpr int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
#ifdef PORTER_SIM_HIP
constexpr int __ffs(int x) { return __builtin_ffs(x); }
constexpr int __ffs(unsigned x) { return __builtin_ffs(int(x)); }
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }
constexpr int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
constexpr int __ffsll(unsigned long x) { return __builtin_ffsll((long long)x); }
#else
constexpr int __ffs(int x) { return __builtin_ffs(x); }
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }
#endif
constexpr int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
constexpr int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
constexpr unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
constexpr int __mul24(int x, int y) { return int((long long)(int(unsigned(x) << 8) >> 8) * (int(unsigned(y) << 8) >> 8)); }
constexpr unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
constexpr int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
constexpr unsigned __umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
constexpr long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
constexpr int __sad(int x, int y, unsigned z) { return int((x > y ? unsigned(x) - unsigned(y) : unsigned(y) - unsigned(x)) + z); }
constexpr unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
constexpr int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
constexpr int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
constexpr unsigned __uhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y) >> 1); }
constexpr unsigned __urhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y + 1) >> 1); }
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned pick = selector >> (4 * i) & 15;
    unsigned byte = unsigned(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
constexpr int __dp4a(int x, int y, int sum) {
  for (int i = 0; i < 4; ++i) sum += int((signed char)(x >> (8 * i))) * int((signed char)(y >> (8 * i)));
  return sum;
}
constexpr unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
  for (int i = 0; i < 4; ++i) sum += (x >> (8 * i) & 0xff) * (y >> (8 * i) & 0xff);
  return sum;
}

inline int __float_as_int(float x) { return ::porter_sim::bit_copy<int>(x); }
inline unsigned __float_as_uint(float x) { return ::porter_sim::bit_copy<unsigned>(x); }
inline float __int_as_float(int x) { return ::porter_sim::bit_copy<float>(x); }
inline float __uint_as_float(unsigned x) { return ::porter_sim::bit_copy<float>(x); }
inline long long __double_as_longlong(double x) { return ::porter_sim::bit_copy<long long>(x); }
inline double __longlong_as_double(long long x) { return ::porter_sim::bit_copy<double>(x); }
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)unsigned(high) << 32 | unsigned(low)));
}

namespace porter_sim {

// Conversion to an integer type: NaN gives zero, what does not fit gives the nearest end of the range.
template <class To>
To to_integer(double whole) {
  if (whole != whole) return 0;
  if (whole <= double(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (whole >= double(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return To(whole);
}

}  // namespace porter_sim

#define PORTER_CONVERT(from, From, to, To)                                                                         \
  inline To __##from##2##to##_rn(From x) { return ::porter_sim::to_integer<To>(std::nearbyint(double(x))); }        \
  inline To __##from##2##to##_rz(From x) { return ::porter_sim::to_integer<To>(std::trunc(double(x))); }            \
  inline To __##from##2##to##_ru(From x) { return ::porter_sim::to_integer<To>(std::ceil(double(x))); }             \
  inline To __##from##2##to##_rd(From x) { return ::porter_sim::to_integer<To>(std::floor(double(x))); }
PORTER_CONVERT(float, float, int, int)
PORTER_CONVERT(float, float, uint, unsigned)
PORTER_CONVERT(float, float, ll, long long)
PORTER_CONVERT(float, float, ull, unsigned long long)
PORTER_CONVERT(double, double, int, int)
PORTER_CONVERT(double, double, uint, unsigned)
PORTER_CONVERT(double, double, ll, long long)
PORTER_CONVERT(double, double, ull, unsigned long long)
#undef PORTER_CONVERT
inline float __int2float_rn(int x) { return float(x); }
inline float __int2float_rz(int x) { return ::porter_sim::directed(float(x), (long double)x - float(x), ::porter_sim::Rounding::zero); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }
inline float __double2float_rz(double x) { return ::porter_sim::directed(float(x), x - (long double)float(x), ::porter_sim::Rounding::zero); }

#define PORTER_LOAD(name)                \
  template <class T>                     \
  PORTER_INLINE T name(const T *address) { \
    return *address;                     \
  }
PORTER_LOAD(__ldg)
PORTER_LOAD(__ldca)
PORTER_LOAD(__ldcg)
PORTER_LOAD(__ldcs)
PORTER_LOAD(__ldcv)
PORTER_LOAD(__ldlu)
#undef PORTER_LOAD
#define PORTER_STORE(name)                                                     \
  template <class T>                                                           \
  PORTER_INLINE void name(T *address, ::porter_sim::same_as<T> value) {        \
    *address = value;                                                          \
  }
PORTER_STORE(__stwb)
PORTER_STORE(__stcg)
PORTER_STORE(__stcs)
PORTER_STORE(__stwt)
#undef PORTER_STORE

namespace porter_sim {
inline long long nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}
}  // namespace porter_sim
namespace porter_sim {
long long device_clock();
}
inline long long clock64() { return ::porter_sim::device_clock(); }
inline long long wall_clock64() { return ::porter_sim::nanoseconds() / 10; }  // AMD's runs at 100 MHz
inline unsigned long long __globaltimer() { return (unsigned long long)::porter_sim::nanoseconds(); }
inline void __nanosleep(unsigned) {}
inline void __prof_trigger(int) {}
[[noreturn]] inline void __trap(PORTER_HERE) { ::porter_sim::device_trap("SIM008", "the kernel trapped", porter_file, porter_line); }
inline void __brkpt() {}
