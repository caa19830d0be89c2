// Arithmetic, comparisons and functions of a 16-bit type and its pair; float16_face.h includes it twice.

#define PORTER_BOTH1(name, name2) \
  inline PORTER_H2 name2(PORTER_H2 a) { return {name(a.x), name(a.y)}; }
#define PORTER_BOTH2(name, name2) \
  inline PORTER_H2 name2(PORTER_H2 a, PORTER_H2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define PORTER_BOTH3(name, name2)                                   \
  inline PORTER_H2 name2(PORTER_H2 a, PORTER_H2 b, PORTER_H2 c) {   \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};              \
  }

inline bool __hisnan(PORTER_H a) { return float(a) != float(a); }
inline int __hisinf(PORTER_H a) { return std::isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0; }
inline PORTER_H2 __hisnan2(PORTER_H2 a) { return {PORTER_H(float(__hisnan(a.x))), PORTER_H(float(__hisnan(a.y)))}; }
#ifdef PORTER_SIM_HIP
inline PORTER_H __hneg(PORTER_H a) { return -a; }
inline PORTER_H __habs(PORTER_H a) { return PORTER_H::of_bits(a.bits & 0x7fff); }
#else
// An instruction of their own, which makes every NaN the canonical one.
inline PORTER_H __hneg(PORTER_H a) { return __hisnan(a) ? PORTER_H::of_bits(0x7fff) : -a; }
inline PORTER_H __habs(PORTER_H a) { return PORTER_H::of_bits(__hisnan(a) ? 0x7fff : a.bits & 0x7fff); }
#endif
PORTER_BOTH1(__hneg, __hneg2)
PORTER_BOTH1(__habs, __habs2)

namespace porter_sim {
// To [0, 1], NaN to +0.
inline PORTER_H saturated(PORTER_H a) { return float(a) > 0 ? (float(a) < 1 ? a : PORTER_H(1.0f)) : PORTER_H(0.0f); }
inline PORTER_H above_zero(PORTER_H a) { return float(a) < 0 ? PORTER_H(0.0f) : a; }
}  // namespace porter_sim

#define PORTER_ARITHMETIC(name, op)                                                                      \
  inline PORTER_H name(PORTER_H a, PORTER_H b) { return a op b; }                                        \
  inline PORTER_H name##_rn(PORTER_H a, PORTER_H b) { return a op b; }                                   \
  inline PORTER_H name##_sat(PORTER_H a, PORTER_H b) { return ::porter_sim::saturated(a op b); }         \
  PORTER_BOTH2(name, name##2)                                                                            \
  PORTER_BOTH2(name, name##2_rn)                                                                         \
  PORTER_BOTH2(name##_sat, name##2_sat)
PORTER_ARITHMETIC(__hadd, +)
PORTER_ARITHMETIC(__hsub, -)
PORTER_ARITHMETIC(__hmul, *)
#undef PORTER_ARITHMETIC
inline PORTER_H __hdiv(PORTER_H a, PORTER_H b) { return a / b; }
PORTER_BOTH2(__hdiv, __h2div)
inline PORTER_H __hfma(PORTER_H a, PORTER_H b, PORTER_H c) {
  // The product of two 16-bit values is exact in double.
  return PORTER_H::rounded(::porter_sim::sum_to_odd(double(float(a)) * double(float(b)), float(c)));
}
inline PORTER_H __hfma_sat(PORTER_H a, PORTER_H b, PORTER_H c) { return ::porter_sim::saturated(__hfma(a, b, c)); }
inline PORTER_H __hfma_relu(PORTER_H a, PORTER_H b, PORTER_H c) { return ::porter_sim::above_zero(__hfma(a, b, c)); }
PORTER_BOTH3(__hfma, __hfma2)
PORTER_BOTH3(__hfma_sat, __hfma2_sat)
PORTER_BOTH3(__hfma_relu, __hfma2_relu)
// Complex multiply-accumulate, fused in the documented order.
inline PORTER_H2 __hcmadd(PORTER_H2 a, PORTER_H2 b, PORTER_H2 c) {
  PORTER_H real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(-a.y, b.y, real), __hfma(a.y, b.x, imaginary)};
}

// The larger; a number rather than NaN; +0 is larger than -0. The `_nan` forms give NaN where either is.
inline PORTER_H __hmax(PORTER_H a, PORTER_H b) {
  if (__hisnan(a)) return __hisnan(b) ? PORTER_H::of_bits(0x7fff) : b;
  if (__hisnan(b)) return a;
  return float(a) == float(b) ? PORTER_H::of_bits(a.bits & b.bits) : float(a) > float(b) ? a : b;
}
inline PORTER_H __hmin(PORTER_H a, PORTER_H b) {
  if (__hisnan(a)) return __hisnan(b) ? PORTER_H::of_bits(0x7fff) : b;
  if (__hisnan(b)) return a;
  return float(a) == float(b) ? PORTER_H::of_bits(a.bits | b.bits) : float(a) < float(b) ? a : b;
}
#define PORTER_PROPAGATES(name)                                                          \
  inline PORTER_H name##_nan(PORTER_H a, PORTER_H b) {                                   \
    return __hisnan(a) || __hisnan(b) ? PORTER_H::of_bits(0x7fff) : name(a, b);          \
  }                                                                                      \
  PORTER_BOTH2(name, name##2)                                                            \
  PORTER_BOTH2(name##_nan, name##2_nan)
PORTER_PROPAGATES(__hmax)
PORTER_PROPAGATES(__hmin)
#undef PORTER_PROPAGATES

// Ordered comparisons are false with NaN, those with `u` true. Pairs give 1.0 and 0.0, a mask, or both at once (`b`).
#define PORTER_COMPARED(what, suffix, test)                                                                          \
  inline bool __h##what##suffix(PORTER_H h, PORTER_H g) {                                                            \
    float a = float(h), b = float(g);                                                                                \
    return test;                                                                                                     \
  }                                                                                                                  \
  inline PORTER_H2 __h##what##suffix##2(PORTER_H2 a, PORTER_H2 b) {                                                  \
    return {PORTER_H(float(__h##what##suffix(a.x, b.x))), PORTER_H(float(__h##what##suffix(a.y, b.y)))};             \
  }                                                                                                                  \
  inline unsigned __h##what##suffix##2_mask(PORTER_H2 a, PORTER_H2 b) {                                              \
    return (__h##what##suffix(a.x, b.x) ? 0xffffu : 0u) | (__h##what##suffix(a.y, b.y) ? 0xffff0000u : 0u);          \
  }                                                                                                                  \
  inline bool __hb##what##suffix##2(PORTER_H2 a, PORTER_H2 b) {                                                      \
    return __h##what##suffix(a.x, b.x) && __h##what##suffix(a.y, b.y);                                               \
  }
PORTER_COMPARED(eq, , a == b)
PORTER_COMPARED(lt, , a < b)
PORTER_COMPARED(le, , a <= b)
PORTER_COMPARED(gt, , a > b)
PORTER_COMPARED(ge, , a >= b)
PORTER_COMPARED(ne, , a < b || a > b)
PORTER_COMPARED(eq, u, !(a < b || a > b))
PORTER_COMPARED(lt, u, !(a >= b))
PORTER_COMPARED(le, u, !(a > b))
PORTER_COMPARED(gt, u, !(a <= b))
PORTER_COMPARED(ge, u, !(a < b))
PORTER_COMPARED(ne, u, a != b)
#undef PORTER_COMPARED

// Functions, computed in double.
#define PORTER_FUNCTION(name, value)              \
  inline PORTER_H h##name(PORTER_H a) {           \
    double x = float(a);                          \
    return PORTER_H::rounded(value);              \
  }                                               \
  PORTER_BOTH1(h##name, h2##name)
PORTER_FUNCTION(exp, std::exp(x))
PORTER_FUNCTION(exp2, std::exp2(x))
PORTER_FUNCTION(exp10, std::pow(10.0, x))
PORTER_FUNCTION(log, std::log(x))
PORTER_FUNCTION(log2, std::log2(x))
PORTER_FUNCTION(log10, std::log10(x))
PORTER_FUNCTION(sin, std::sin(x))
PORTER_FUNCTION(cos, std::cos(x))
PORTER_FUNCTION(tanh, std::tanh(x))
PORTER_FUNCTION(tanh_approx, std::tanh(x))
PORTER_FUNCTION(sqrt, std::sqrt(x))
PORTER_FUNCTION(rsqrt, 1 / std::sqrt(x))
PORTER_FUNCTION(rcp, 1 / x)
PORTER_FUNCTION(floor, std::floor(x))
PORTER_FUNCTION(ceil, std::ceil(x))
PORTER_FUNCTION(trunc, std::trunc(x))
PORTER_FUNCTION(rint, std::nearbyint(x))
#undef PORTER_FUNCTION
#undef PORTER_BOTH1
#undef PORTER_BOTH2
#undef PORTER_BOTH3
