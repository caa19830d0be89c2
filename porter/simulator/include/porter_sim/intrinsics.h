// Integer and bit intrinsics, reinterpretation, conversions with a named rounding, and clocks.
#pragma once

#include <time.h>

#include "porter_sim/atomics.h"
#include "porter_sim/math.h"
#include "porter_sim/simd_integer.h"

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
// Three bits choose a byte; the fourth has no meaning here, unlike in PTX's prmt.
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= (unsigned(bytes >> (8 * (selector >> (4 * i) & 7))) & 0xff) << (8 * i);
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

constexpr int __dp4a(char4 x, char4 y, int sum) { return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
constexpr unsigned __dp4a(uchar4 x, uchar4 y, unsigned sum) {
  return sum + unsigned(x.x * y.x + x.y * y.y) + unsigned(x.z * y.z + x.w * y.w);
}
// Halves of `x` by the bytes of `y` from `first` on.
template <class Half, class Byte, class Sum>
constexpr Sum porter_dp2a(unsigned x, unsigned y, Sum sum, int first) {
  for (int i = 0; i < 2; ++i) sum += Sum(Half(x >> (16 * i))) * Sum(Byte(y >> (8 * (first + i))));
  return sum;
}
constexpr int __dp2a_lo(int x, int y, int sum) { return porter_dp2a<short, signed char>(unsigned(x), unsigned(y), sum, 0); }
constexpr int __dp2a_hi(int x, int y, int sum) { return porter_dp2a<short, signed char>(unsigned(x), unsigned(y), sum, 2); }
constexpr unsigned __dp2a_lo(unsigned x, unsigned y, unsigned sum) {
  return porter_dp2a<unsigned short, unsigned char>(x, y, sum, 0);
}
constexpr unsigned __dp2a_hi(unsigned x, unsigned y, unsigned sum) {
  return porter_dp2a<unsigned short, unsigned char>(x, y, sum, 2);
}
constexpr int __dp2a_lo(short2 x, char4 y, int sum) { return sum + x.x * y.x + x.y * y.y; }
constexpr int __dp2a_hi(short2 x, char4 y, int sum) { return sum + x.x * y.z + x.y * y.w; }
constexpr unsigned __dp2a_lo(ushort2 x, uchar4 y, unsigned sum) { return sum + unsigned(x.x) * y.x + unsigned(x.y) * y.y; }
constexpr unsigned __dp2a_hi(ushort2 x, uchar4 y, unsigned sum) { return sum + unsigned(x.x) * y.z + unsigned(x.y) * y.w; }
// The position of the offset-th set bit counted from `base` (upwards where offset > 0, downwards where < 0).
constexpr unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : ~0u;
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int at = int(base); at >= 0 && at < 32; at += step) {
    if (mask >> at & 1 && --left == 0) return unsigned(at);
  }
  return ~0u;
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

// Conversion to an integer type: what does not fit gives the nearest end of the range. NaN gives zero; on CUDA, where
// either side has 64 bits, the top bit alone (PTX ISA, cvt).
template <class To, bool wide_source = false>
To to_integer(double whole) {
#ifdef PORTER_SIM_HIP
  if (whole != whole) return 0;
#else
  if (whole != whole) return wide_source || sizeof(To) == 8 ? To(To(1) << (8 * sizeof(To) - 1)) : To(0);
#endif
  if (whole <= double(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (whole >= double(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return To(whole);
}

}  // namespace porter_sim

#define PORTER_CONVERT_WHOLE(from, From, to, To, suffix, whole)                                          \
  inline To __##from##2##to##_##suffix(From x) {                                                         \
    return ::porter_sim::to_integer<To, sizeof(From) == 8>(whole(double(x)));                            \
  }
#define PORTER_CONVERT(from, From, to, To)                           \
  PORTER_CONVERT_WHOLE(from, From, to, To, rn, std::nearbyint)       \
  PORTER_CONVERT_WHOLE(from, From, to, To, rz, std::trunc)           \
  PORTER_CONVERT_WHOLE(from, From, to, To, ru, std::ceil)            \
  PORTER_CONVERT_WHOLE(from, From, to, To, rd, std::floor)
PORTER_CONVERT(float, float, int, int)
PORTER_CONVERT(float, float, uint, unsigned)
PORTER_CONVERT(float, float, ll, long long)
PORTER_CONVERT(float, float, ull, unsigned long long)
PORTER_CONVERT(double, double, int, int)
PORTER_CONVERT(double, double, uint, unsigned)
PORTER_CONVERT(double, double, ll, long long)
PORTER_CONVERT(double, double, ull, unsigned long long)
#undef PORTER_CONVERT
#undef PORTER_CONVERT_WHOLE
// An integer of 64 bits, a float and a double are exact in long double.
#define PORTER_CONVERT(from, From, to, To, suffix, mode)                                                        \
  inline To __##from##2##to##_##suffix(From x) {                                                                \
    return ::porter_sim::directed(To(x), (long double)x - To(x), ::porter_sim::Rounding::mode);                 \
  }
#define PORTER_CONVERT_ALL(from, From, to, To)    \
  PORTER_CONVERT(from, From, to, To, rn, nearest) \
  PORTER_CONVERT(from, From, to, To, rz, zero)    \
  PORTER_CONVERT(from, From, to, To, ru, up)      \
  PORTER_CONVERT(from, From, to, To, rd, down)
PORTER_CONVERT_ALL(int, int, float, float)
PORTER_CONVERT_ALL(uint, unsigned, float, float)
PORTER_CONVERT_ALL(ll, long long, float, float)
PORTER_CONVERT_ALL(ull, unsigned long long, float, float)
PORTER_CONVERT_ALL(ll, long long, double, double)
PORTER_CONVERT_ALL(ull, unsigned long long, double, double)
#undef PORTER_CONVERT_ALL
#undef PORTER_CONVERT
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
// Overflow to infinity is an error of infinite size: what is rounded towards zero stays finite.
#define PORTER_NARROW(suffix, mode)                                                                                  \
  inline float __double2float_##suffix(double x) {                                                                   \
    return std::isinf(x) ? float(x) : ::porter_sim::directed(float(x), x - (long double)float(x), ::porter_sim::Rounding::mode); \
  }
PORTER_NARROW(rn, nearest)
PORTER_NARROW(rz, zero)
PORTER_NARROW(ru, up)
PORTER_NARROW(rd, down)
#undef PORTER_NARROW

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
// Addresses of the block's shared memory as numbers, the way instructions take them.
bool is_shared(const void *address);
bool is_local(const void *address);
size_t shared_offset(const void *address);
void *shared_address(size_t offset);
}  // namespace porter_sim
inline unsigned __isShared(const void *address) { return ::porter_sim::is_shared(address); }
inline unsigned __isLocal(const void *address) { return ::porter_sim::is_local(address); }
inline unsigned __isGlobal(const void *address) {
  return !::porter_sim::is_shared(address) && !::porter_sim::is_local(address);
}
inline size_t __cvta_generic_to_shared(const void *address) { return ::porter_sim::shared_offset(address); }
inline void *__cvta_shared_to_generic(size_t offset) { return ::porter_sim::shared_address(offset); }
inline size_t __cvta_generic_to_global(const void *address) { return reinterpret_cast<size_t>(address); }
inline void *__cvta_global_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
inline size_t __cvta_generic_to_local(const void *address) { return reinterpret_cast<size_t>(address); }
inline void *__cvta_local_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
inline size_t __cvta_generic_to_constant(const void *address) { return reinterpret_cast<size_t>(address); }
inline void *__cvta_constant_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
inline size_t __nv_cvta_generic_to_shared_impl(const void *address) { return ::porter_sim::shared_offset(address); }

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
inline void __nanosleep(unsigned, PORTER_HERE) {
  ::porter_sim::pause(::porter_sim::Until::world, false, porter_file, porter_line);
}
inline void __prof_trigger(int) {}
[[noreturn]] inline void __trap(PORTER_HERE) { ::porter_sim::device_trap("SIM008", "the kernel trapped", porter_file, porter_line); }
inline void __brkpt() {}
