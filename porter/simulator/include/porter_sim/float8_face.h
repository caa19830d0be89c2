// 8-bit floating types as a vendor's header names them. The including header defines PORTER_F8(name), which adds its
// prefix, PORTER_F8_VENDOR, and PORTER_BF16, PORTER_BF162 and their raw forms.

typedef unsigned char PORTER_F8(fp8_storage_t);
typedef unsigned short PORTER_F8(fp8x2_storage_t);
typedef unsigned int PORTER_F8(fp8x4_storage_t);

namespace porter_sim {
inline const Float8Format &format_of(PORTER_F8(fp8_interpretation_t) interpretation) {
  static constexpr const Float8Format *formats[] = {&e4m3_format, &e5m2_format, &e4m3_fnuz_format, &e5m2_fnuz_format};
  return *formats[int(interpretation)];
}
inline unsigned char pack8(double x, PORTER_F8(saturation_t) saturation, PORTER_F8(fp8_interpretation_t) interpretation) {
  return to_float8(x, int(saturation) == 1, format_of(interpretation), PORTER_F8_VENDOR);
}
}  // namespace porter_sim

#define PORTER_F8_ARGUMENTS PORTER_F8(saturation_t) saturation, PORTER_F8(fp8_interpretation_t) interpretation
#define PORTER_TO8(from, From, value)                                                                          \
  inline PORTER_F8(fp8_storage_t) PORTER_F8(cvt_##from##_to_fp8)(const From x, PORTER_F8_ARGUMENTS) {          \
    return ::porter_sim::pack8(value, saturation, interpretation);                                             \
  }
PORTER_TO8(double, double, x)
PORTER_TO8(float, float, double(x))
PORTER_TO8(halfraw, __half_raw, double(float(__half(x))))
PORTER_TO8(bfloat16raw, PORTER_BF16_RAW, double(float(PORTER_BF16(x))))
#undef PORTER_TO8
#define PORTER_TO8X2(from, one, From, X)                                                                             \
  inline PORTER_F8(fp8x2_storage_t) PORTER_F8(cvt_##from##_to_fp8x2)(const From v, PORTER_F8_ARGUMENTS) {            \
    unsigned low = PORTER_F8(cvt_##one##_to_fp8)(X{v.x}, saturation, interpretation);                                \
    return (unsigned short)(low | unsigned(PORTER_F8(cvt_##one##_to_fp8)(X{v.y}, saturation, interpretation)) << 8); \
  }
PORTER_TO8X2(double2, double, double2, double)
PORTER_TO8X2(float2, float, float2, float)
PORTER_TO8X2(halfraw2, halfraw, __half2_raw, __half_raw)
PORTER_TO8X2(bfloat16raw2, bfloat16raw, PORTER_BF162_RAW, PORTER_BF16_RAW)
#undef PORTER_TO8X2
#undef PORTER_F8_ARGUMENTS
inline __half_raw PORTER_F8(cvt_fp8_to_halfraw)(PORTER_F8(fp8_storage_t) x, PORTER_F8(fp8_interpretation_t) interpretation) {
  return __half(::porter_sim::float8_to_float(x, ::porter_sim::format_of(interpretation)));
}
inline __half2_raw PORTER_F8(cvt_fp8x2_to_halfraw2)(PORTER_F8(fp8x2_storage_t) x,
                                                    PORTER_F8(fp8_interpretation_t) interpretation) {
  return {PORTER_F8(cvt_fp8_to_halfraw)((unsigned char)x, interpretation).x,
          PORTER_F8(cvt_fp8_to_halfraw)((unsigned char)(x >> 8), interpretation).x};
}

// A constructor rounds to nearest even and saturates; conversions are explicit, as in the vendors' headers.
#define PORTER_F8_TYPE(suffix, kind)                                                                                   \
  struct PORTER_F8(fp8_##suffix) {                                                                                     \
    unsigned char __x;                                                                                                 \
    PORTER_F8(fp8_##suffix)() = default;                                                                               \
    explicit PORTER_F8(fp8_##suffix)(double x) : __x(pack(x)) {}                                                       \
    explicit PORTER_F8(fp8_##suffix)(float x) : __x(pack(double(x))) {}                                                \
    explicit PORTER_F8(fp8_##suffix)(__half x) : __x(pack(double(float(x)))) {}                                        \
    explicit PORTER_F8(fp8_##suffix)(PORTER_BF16 x) : __x(pack(double(float(x)))) {}                                   \
    template <class I, class = std::enable_if_t<std::is_integral_v<I>>>                                                \
    explicit PORTER_F8(fp8_##suffix)(I x) : __x(pack(double(x))) {}                                                    \
    explicit operator float() const { return ::porter_sim::float8_to_float(__x, ::porter_sim::kind##_format); }        \
    explicit operator double() const { return float(*this); }                                                          \
    explicit operator __half() const { return __half(float(*this)); }                                                  \
    explicit operator PORTER_BF16() const { return PORTER_BF16(float(*this)); }                                        \
    explicit operator bool() const { return float(*this) != 0; }                                                       \
    template <class I, class = std::enable_if_t<std::is_integral_v<I> && !std::is_same_v<I, bool>>>                    \
    explicit operator I() const {                                                                                      \
      return ::porter_sim::to_integer<I>(std::trunc(double(float(*this))));                                            \
    }                                                                                                                  \
    static unsigned char pack(double x) {                                                                              \
      return ::porter_sim::to_float8(x, true, ::porter_sim::kind##_format, PORTER_F8_VENDOR);                          \
    }                                                                                                                  \
  };                                                                                                                   \
  struct PORTER_F8(fp8x2_##suffix) {                                                                                   \
    unsigned short __x;                                                                                                \
    using One = PORTER_F8(fp8_##suffix);                                                                               \
    PORTER_F8(fp8x2_##suffix)() = default;                                                                             \
    explicit PORTER_F8(fp8x2_##suffix)(float2 v) : __x(pack(v.x, v.y)) {}                                              \
    explicit PORTER_F8(fp8x2_##suffix)(double2 v) : __x(pack(v.x, v.y)) {}                                             \
    explicit PORTER_F8(fp8x2_##suffix)(__half2 v) : __x(pack(float(v.x), float(v.y))) {}                               \
    explicit PORTER_F8(fp8x2_##suffix)(PORTER_BF162 v) : __x(pack(float(v.x), float(v.y))) {}                          \
    explicit operator float2() const { return {at(0), at(1)}; }                                                        \
    explicit operator __half2() const { return {__half(at(0)), __half(at(1))}; }                                       \
    float at(int i) const { return ::porter_sim::float8_to_float((unsigned char)(__x >> 8 * i), ::porter_sim::kind##_format); } \
    static unsigned short pack(double x, double y) { return (unsigned short)(One::pack(x) | One::pack(y) << 8); }      \
  };                                                                                                                   \
  struct PORTER_F8(fp8x4_##suffix) {                                                                                   \
    unsigned __x;                                                                                                      \
    using Two = PORTER_F8(fp8x2_##suffix);                                                                             \
    PORTER_F8(fp8x4_##suffix)() = default;                                                                             \
    explicit PORTER_F8(fp8x4_##suffix)(float4 v) : __x(pack(v.x, v.y, v.z, v.w)) {}                                    \
    explicit PORTER_F8(fp8x4_##suffix)(double4 v) : __x(pack(v.x, v.y, v.z, v.w)) {}                                   \
    explicit PORTER_F8(fp8x4_##suffix)(__half2 a, __half2 b) : __x(pack(float(a.x), float(a.y), float(b.x), float(b.y))) {} \
    explicit PORTER_F8(fp8x4_##suffix)(PORTER_BF162 a, PORTER_BF162 b)                                                 \
        : __x(pack(float(a.x), float(a.y), float(b.x), float(b.y))) {}                                                 \
    explicit operator float4() const { return {at(0), at(1), at(2), at(3)}; }                                          \
    float at(int i) const { return ::porter_sim::float8_to_float((unsigned char)(__x >> 8 * i), ::porter_sim::kind##_format); } \
    static unsigned pack(double a, double b, double c, double d) {                                                     \
      return unsigned(Two::pack(a, b)) | unsigned(Two::pack(c, d)) << 16;                                              \
    }                                                                                                                  \
  };
