// A 16-bit floating type with its pair, operators and intrinsics. Included once for half and once for bfloat16,
// which define PORTER_FLOAT16 (the type), PORTER_FLOAT16_2 (the pair), PORTER_FORMAT, PORTER_NAME16 (the word in
// conversion names: half, bfloat16) and PORTER_NAME162 (half2, bfloat162). Each operation is computed in float and
// rounded once, as the hardware does.

struct __attribute__((aligned(2))) PORTER_FLOAT16 {
  unsigned short bits;

  PORTER_FLOAT16() = default;
  PORTER_FLOAT16(float x) : bits(PORTER_FORMAT::pack(x)) {}
  PORTER_FLOAT16(double x) : bits(PORTER_FORMAT::pack(::porter_sim::to_odd(x))) {}
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  PORTER_FLOAT16(I x) : bits(PORTER_FORMAT::pack(::porter_sim::to_odd(double(x)))) {}
  static PORTER_FLOAT16 of_bits(unsigned short b) {
    PORTER_FLOAT16 h;
    h.bits = b;
    return h;
  }
  operator float() const { return PORTER_FORMAT::unpack(bits); }
  template <class X>
  PORTER_FLOAT16 &operator+=(const X &x) { return *this = PORTER_FLOAT16(float(*this) + float(x)); }
  template <class X>
  PORTER_FLOAT16 &operator-=(const X &x) { return *this = PORTER_FLOAT16(float(*this) - float(x)); }
  template <class X>
  PORTER_FLOAT16 &operator*=(const X &x) { return *this = PORTER_FLOAT16(float(*this) * float(x)); }
  template <class X>
  PORTER_FLOAT16 &operator/=(const X &x) { return *this = PORTER_FLOAT16(float(*this) / float(x)); }
  PORTER_FLOAT16 &operator++() { return *this += 1.0f; }
  PORTER_FLOAT16 &operator--() { return *this -= 1.0f; }
};

struct __attribute__((aligned(4))) PORTER_FLOAT16_2 {
  PORTER_FLOAT16 x, y;

  PORTER_FLOAT16_2() = default;
  PORTER_FLOAT16_2(PORTER_FLOAT16 a, PORTER_FLOAT16 b) : x(a), y(b) {}
};

#define PORTER_OPERATOR(op)                                                                                       \
  inline PORTER_FLOAT16 operator op(PORTER_FLOAT16 a, PORTER_FLOAT16 b) {                                         \
    return PORTER_FLOAT16(float(a) op float(b));                                                                  \
  }                                                                                                               \
  inline PORTER_FLOAT16_2 operator op(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {a.x op b.x, a.y op b.y}; } \
  inline PORTER_FLOAT16_2 &operator op##=(PORTER_FLOAT16_2 &a, PORTER_FLOAT16_2 b) { return a = a op b; }
PORTER_OPERATOR(+)
PORTER_OPERATOR(-)
PORTER_OPERATOR(*)
PORTER_OPERATOR(/)
#undef PORTER_OPERATOR
inline PORTER_FLOAT16 operator-(PORTER_FLOAT16 a) { return PORTER_FLOAT16::of_bits(a.bits ^ 0x8000); }
inline PORTER_FLOAT16_2 operator-(PORTER_FLOAT16_2 a) { return {-a.x, -a.y}; }

#define PORTER_COMPARISON(op) \
  inline bool operator op(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return float(a) op float(b); }
PORTER_COMPARISON(==)
PORTER_COMPARISON(!=)
PORTER_COMPARISON(<)
PORTER_COMPARISON(<=)
PORTER_COMPARISON(>)
PORTER_COMPARISON(>=)
#undef PORTER_COMPARISON

// Conversions.
#define PORTER_PASTE3_(a, b, c) a##b##c
#define PORTER_PASTE3(a, b, c) PORTER_PASTE3_(a, b, c)
#define PORTER_TO16(from, suffix) PORTER_PASTE3(__##from##2, PORTER_NAME16, suffix)
#define PORTER_FROM16(to) PORTER_PASTE3(__, PORTER_NAME16, 2##to)

inline PORTER_FLOAT16 PORTER_TO16(float, )(float x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(float, _rn)(float x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(float, _rz)(float x) { return PORTER_FLOAT16::of_bits(PORTER_FORMAT::pack(x, ::porter_sim::Direction::zero)); }
inline PORTER_FLOAT16 PORTER_TO16(float, _ru)(float x) { return PORTER_FLOAT16::of_bits(PORTER_FORMAT::pack(x, ::porter_sim::Direction::up)); }
inline PORTER_FLOAT16 PORTER_TO16(float, _rd)(float x) { return PORTER_FLOAT16::of_bits(PORTER_FORMAT::pack(x, ::porter_sim::Direction::down)); }
inline PORTER_FLOAT16 PORTER_TO16(double, )(double x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(int, _rn)(int x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(uint, _rn)(unsigned x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(short, _rn)(short x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(ushort, _rn)(unsigned short x) { return PORTER_FLOAT16(x); }
inline PORTER_FLOAT16 PORTER_TO16(ll, _rn)(long long x) { return PORTER_FLOAT16(x); }
inline float PORTER_FROM16(float)(PORTER_FLOAT16 x) { return float(x); }
inline int PORTER_FROM16(int_rn)(PORTER_FLOAT16 x) { return __float2int_rn(float(x)); }
inline int PORTER_FROM16(int_rz)(PORTER_FLOAT16 x) { return __float2int_rz(float(x)); }
inline unsigned PORTER_FROM16(uint_rn)(PORTER_FLOAT16 x) { return __float2uint_rn(float(x)); }
inline unsigned PORTER_FROM16(uint_rz)(PORTER_FLOAT16 x) { return __float2uint_rz(float(x)); }
inline short PORTER_PASTE3(__, PORTER_NAME16, _as_short)(PORTER_FLOAT16 x) { return short(x.bits); }
inline unsigned short PORTER_PASTE3(__, PORTER_NAME16, _as_ushort)(PORTER_FLOAT16 x) { return x.bits; }
inline PORTER_FLOAT16 PORTER_PASTE3(__short_as_, PORTER_NAME16, )(short x) { return PORTER_FLOAT16::of_bits((unsigned short)x); }
inline PORTER_FLOAT16 PORTER_PASTE3(__ushort_as_, PORTER_NAME16, )(unsigned short x) { return PORTER_FLOAT16::of_bits(x); }

inline PORTER_FLOAT16_2 PORTER_PASTE3(__float2, PORTER_NAME162, _rn)(float x) { return {PORTER_FLOAT16(x), PORTER_FLOAT16(x)}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__floats2, PORTER_NAME162, _rn)(float x, float y) { return {PORTER_FLOAT16(x), PORTER_FLOAT16(y)}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__float22, PORTER_NAME162, _rn)(float2 v) { return {PORTER_FLOAT16(v.x), PORTER_FLOAT16(v.y)}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(make_, PORTER_NAME162, )(PORTER_FLOAT16 x, PORTER_FLOAT16 y) { return {x, y}; }

// Arithmetic and comparison.
inline PORTER_FLOAT16 __hadd(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a + b; }
inline PORTER_FLOAT16 __hsub(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a - b; }
inline PORTER_FLOAT16 __hmul(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a * b; }
inline PORTER_FLOAT16 __hdiv(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a / b; }
inline PORTER_FLOAT16 __hadd_rn(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a + b; }
inline PORTER_FLOAT16 __hsub_rn(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a - b; }
inline PORTER_FLOAT16 __hmul_rn(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a * b; }
inline PORTER_FLOAT16 __hmax(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return float(a) != float(a) ? b : float(b) > float(a) ? b : a; }
inline PORTER_FLOAT16 __hmin(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return float(a) != float(a) ? b : float(b) < float(a) ? b : a; }
inline PORTER_FLOAT16_2 __hadd2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
inline PORTER_FLOAT16_2 __hsub2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
inline PORTER_FLOAT16_2 __hmul2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
inline PORTER_FLOAT16_2 __h2div(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
inline PORTER_FLOAT16_2 __hmax2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
inline PORTER_FLOAT16_2 __hmin2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
inline PORTER_FLOAT16 __hfma(PORTER_FLOAT16 a, PORTER_FLOAT16 b, PORTER_FLOAT16 c) {
  // The product of two 16-bit values is exact in double; rounding the sum to odd keeps the last rounding single.
  return PORTER_FLOAT16(double(float(a)) * double(float(b)) + double(float(c)));
}
inline PORTER_FLOAT16_2 __hfma2(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b, PORTER_FLOAT16_2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline PORTER_FLOAT16 __hneg(PORTER_FLOAT16 a) { return -a; }
inline PORTER_FLOAT16_2 __hneg2(PORTER_FLOAT16_2 a) { return -a; }
inline PORTER_FLOAT16 __habs(PORTER_FLOAT16 a) { return PORTER_FLOAT16::of_bits(a.bits & 0x7fff); }
inline PORTER_FLOAT16_2 __habs2(PORTER_FLOAT16_2 a) { return {__habs(a.x), __habs(a.y)}; }
inline bool __hisnan(PORTER_FLOAT16 a) { return float(a) != float(a); }
inline int __hisinf(PORTER_FLOAT16 a) { return std::isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0; }
inline bool __heq(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a == b; }
inline bool __hne(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a != b; }
inline bool __hlt(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a < b; }
inline bool __hle(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a <= b; }
inline bool __hgt(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a > b; }
inline bool __hge(PORTER_FLOAT16 a, PORTER_FLOAT16 b) { return a >= b; }

// Functions.
inline PORTER_FLOAT16 hexp(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::exp(float(a)))); }
inline PORTER_FLOAT16_2 h2exp(PORTER_FLOAT16_2 a) { return {hexp(a.x), hexp(a.y)}; }
inline PORTER_FLOAT16 hexp2(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::exp2(float(a)))); }
inline PORTER_FLOAT16_2 h2exp2(PORTER_FLOAT16_2 a) { return {hexp2(a.x), hexp2(a.y)}; }
inline PORTER_FLOAT16 hlog(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::log(float(a)))); }
inline PORTER_FLOAT16_2 h2log(PORTER_FLOAT16_2 a) { return {hlog(a.x), hlog(a.y)}; }
inline PORTER_FLOAT16 hlog2(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::log2(float(a)))); }
inline PORTER_FLOAT16_2 h2log2(PORTER_FLOAT16_2 a) { return {hlog2(a.x), hlog2(a.y)}; }
inline PORTER_FLOAT16 hlog10(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::log10(float(a)))); }
inline PORTER_FLOAT16_2 h2log10(PORTER_FLOAT16_2 a) { return {hlog10(a.x), hlog10(a.y)}; }
inline PORTER_FLOAT16 hsin(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::sin(float(a)))); }
inline PORTER_FLOAT16_2 h2sin(PORTER_FLOAT16_2 a) { return {hsin(a.x), hsin(a.y)}; }
inline PORTER_FLOAT16 hcos(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::cos(float(a)))); }
inline PORTER_FLOAT16_2 h2cos(PORTER_FLOAT16_2 a) { return {hcos(a.x), hcos(a.y)}; }
inline PORTER_FLOAT16 hsqrt(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::sqrt(float(a)))); }
inline PORTER_FLOAT16_2 h2sqrt(PORTER_FLOAT16_2 a) { return {hsqrt(a.x), hsqrt(a.y)}; }
inline PORTER_FLOAT16 hrsqrt(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(rsqrtf(float(a)))); }
inline PORTER_FLOAT16_2 h2rsqrt(PORTER_FLOAT16_2 a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }
inline PORTER_FLOAT16 hrcp(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(1.0f / (float(a)))); }
inline PORTER_FLOAT16_2 h2rcp(PORTER_FLOAT16_2 a) { return {hrcp(a.x), hrcp(a.y)}; }
inline PORTER_FLOAT16 hfloor(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::floor(float(a)))); }
inline PORTER_FLOAT16_2 h2floor(PORTER_FLOAT16_2 a) { return {hfloor(a.x), hfloor(a.y)}; }
inline PORTER_FLOAT16 hceil(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::ceil(float(a)))); }
inline PORTER_FLOAT16_2 h2ceil(PORTER_FLOAT16_2 a) { return {hceil(a.x), hceil(a.y)}; }
inline PORTER_FLOAT16 htrunc(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::trunc(float(a)))); }
inline PORTER_FLOAT16_2 h2trunc(PORTER_FLOAT16_2 a) { return {htrunc(a.x), htrunc(a.y)}; }
inline PORTER_FLOAT16 hrint(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::nearbyint(float(a)))); }
inline PORTER_FLOAT16_2 h2rint(PORTER_FLOAT16_2 a) { return {hrint(a.x), hrint(a.y)}; }
inline PORTER_FLOAT16 htanh(PORTER_FLOAT16 a) { return PORTER_FLOAT16(float(std::tanh(float(a)))); }
inline PORTER_FLOAT16_2 h2tanh(PORTER_FLOAT16_2 a) { return {htanh(a.x), htanh(a.y)}; }

// Pairs.
inline PORTER_FLOAT16 PORTER_PASTE3(__low2, PORTER_NAME16, )(PORTER_FLOAT16_2 v) { return v.x; }
inline PORTER_FLOAT16 PORTER_PASTE3(__high2, PORTER_NAME16, )(PORTER_FLOAT16_2 v) { return v.y; }
inline float __low2float(PORTER_FLOAT16_2 v) { return float(v.x); }
inline float __high2float(PORTER_FLOAT16_2 v) { return float(v.y); }
inline PORTER_FLOAT16_2 __lowhigh2highlow(PORTER_FLOAT16_2 v) { return {v.y, v.x}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__halves2, PORTER_NAME162, )(PORTER_FLOAT16 x, PORTER_FLOAT16 y) { return {x, y}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__low2, PORTER_NAME162, )(PORTER_FLOAT16_2 v) { return {v.x, v.x}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__high2, PORTER_NAME162, )(PORTER_FLOAT16_2 v) { return {v.y, v.y}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__lows2, PORTER_NAME162, )(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {a.x, b.x}; }
inline PORTER_FLOAT16_2 PORTER_PASTE3(__highs2, PORTER_NAME162, )(PORTER_FLOAT16_2 a, PORTER_FLOAT16_2 b) { return {a.y, b.y}; }

#undef PORTER_FROM16
#undef PORTER_TO16
#undef PORTER_PASTE3
#undef PORTER_PASTE3_
