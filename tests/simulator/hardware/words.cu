// Integer intrinsics, SIMD within a word, integer PTX and directed roundings.
#include "hardware.h"

#define BINARY(X) \
  X(__vadd2) X(__vadd4) X(__vaddss2) X(__vaddss4) X(__vaddus2) X(__vaddus4) X(__vavgs2) X(__vavgs4) \
  X(__vavgu2) X(__vavgu4) X(__vcmpeq2) X(__vcmpeq4) X(__vcmpges2) X(__vcmpges4) X(__vcmpgeu2) X(__vcmpgeu4) \
  X(__vcmpgts2) X(__vcmpgts4) X(__vcmpgtu2) X(__vcmpgtu4) X(__vcmples2) X(__vcmples4) X(__vcmpleu2) \
  X(__vcmpleu4) X(__vcmplts2) X(__vcmplts4) X(__vcmpltu2) X(__vcmpltu4) X(__vcmpne2) X(__vcmpne4) \
  X(__vhaddu2) X(__vhaddu4) X(__vmaxs2) X(__vmaxs4) X(__vmaxu2) X(__vmaxu4) X(__vmins2) X(__vmins4) \
  X(__vminu2) X(__vminu4) X(__vsads2) X(__vsads4) X(__vsadu2) X(__vsadu4) X(__vseteq2) X(__vseteq4) \
  X(__vsetges2) X(__vsetges4) X(__vsetgeu2) X(__vsetgeu4) X(__vsetgts2) X(__vsetgts4) X(__vsetgtu2) \
  X(__vsetgtu4) X(__vsetles2) X(__vsetles4) X(__vsetleu2) X(__vsetleu4) X(__vsetlts2) X(__vsetlts4) \
  X(__vsetltu2) X(__vsetltu4) X(__vsetne2) X(__vsetne4) X(__vsub2) X(__vsub4) X(__vsubss2) X(__vsubss4) \
  X(__vsubus2) X(__vsubus4) X(__vabsdiffs2) X(__vabsdiffs4) X(__vabsdiffu2) X(__vabsdiffu4) X(__umulhi) \
  X(__mulhi) X(__mul24) X(__umul24) X(__hadd) X(__rhadd) X(__uhadd) X(__urhadd)
#define UNARY(X) \
  X(__vabs2) X(__vabs4) X(__vabsss2) X(__vabsss4) X(__vneg2) X(__vneg4) X(__vnegss2) X(__vnegss4) X(__brev) \
  X(__popc) X(__clz) X(__ffs)

#define X(name) \
  __global__ void run##name(unsigned *out) { THREAD; out[i] = name(extreme_word(i), extreme_word(i * 7 + 3)); }
BINARY(X)
#undef X
#define X(name) \
  __global__ void run##name(unsigned *out) { THREAD; out[i] = name(extreme_word(i)); }
UNARY(X)
#undef X

// One kernel for each expression of three words.
#define WORDS                                                                                        \
  THREAD;                                                                                            \
  const unsigned a = extreme_word(i), b = extreme_word(i * 7 + 3), c = extreme_word(i * 13 + 1);      \
  unsigned d = 0

__global__ void three0(unsigned *out) { WORDS; d = __byte_perm(a, b, c); out[i] = d; }
__global__ void three1(unsigned *out) { WORDS; d = __funnelshift_l(a, b, c); out[i] = d; }
__global__ void three2(unsigned *out) { WORDS; d = __funnelshift_r(a, b, c); out[i] = d; }
__global__ void three3(unsigned *out) { WORDS; d = __funnelshift_lc(a, b, c & 63); out[i] = d; }
__global__ void three4(unsigned *out) { WORDS; d = __funnelshift_rc(a, b, c & 63); out[i] = d; }
__global__ void three5(unsigned *out) { WORDS; d = __dp4a(int(a), int(b), int(c)); out[i] = d; }
__global__ void three6(unsigned *out) { WORDS; d = __dp4a(a, b, c); out[i] = d; }
__global__ void three7(unsigned *out) { WORDS; d = __dp2a_lo(int(a), int(b), int(c)); out[i] = d; }
__global__ void three8(unsigned *out) { WORDS; d = __dp2a_hi(a, b, c); out[i] = d; }
__global__ void three9(unsigned *out) { WORDS; d = __sad(int(a), int(b), c); out[i] = d; }
__global__ void three10(unsigned *out) { WORDS; d = __usad(a, b, c); out[i] = d; }

__global__ void ptx0(unsigned *out) {
  WORDS;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx1(unsigned *out) {
  WORDS;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx2(unsigned *out) {
  WORDS;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx3(unsigned *out) {
  WORDS;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx4(unsigned *out) {
  WORDS;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx5(unsigned *out) {
  WORDS;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx6(unsigned *out) {
  WORDS;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx7(unsigned *out) {
  WORDS;
  asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx8(unsigned *out) {
  WORDS;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx9(unsigned *out) {
  WORDS;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx10(unsigned *out) {
  WORDS;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx11(unsigned *out) {
  WORDS;
  asm("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx12(unsigned *out) {
  WORDS;
  asm("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, 0; }" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void ptx13(unsigned *out) {
  WORDS;
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %1, %3, p; }" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[i] = d;
}
__global__ void insert_bits(unsigned *out) {
  WORDS;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c & 31), "r"(c >> 5 & 31));
  out[i] = d;
}
__global__ void first_bit(unsigned *out) {
  WORDS;
  unsigned e;
  asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
  asm("bfind.s32 %0, %1;" : "=r"(e) : "r"(b));
  out[i] = d * 64 + e + c * 0;
}
__global__ void wide_products(unsigned *out) {
  WORDS;
  unsigned long long product, sum;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(sum) : "r"(a), "r"(b), "l"((long long)c));
  out[i] = unsigned(product >> 32) * 3 + unsigned(sum >> 32) * 5 + unsigned(sum) + d;
}

__global__ void whole0(unsigned *out) {
  THREAD;
  int d;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(d) : "f"(int(word(i)) * 1e-6f));
  out[i] = unsigned(d);
}
__global__ void whole1(unsigned *out) {
  THREAD;
  int d;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(d) : "f"(int(word(i)) * 1e-6f));
  out[i] = unsigned(d);
}
__global__ void whole2(unsigned *out) {
  THREAD;
  int d;
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(d) : "f"(int(word(i)) * 1e-6f));
  out[i] = unsigned(d);
}
__global__ void whole3(unsigned *out) {
  THREAD;
  int d;
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(d) : "f"(int(word(i)) * 1e-6f));
  out[i] = unsigned(d);
}
__global__ void saturated(unsigned *out) {
  THREAD;
  unsigned d;
  int e, f, g;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(d) : "f"(__uint_as_float(word(i))));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(e) : "f"(__uint_as_float(word(i + 5))));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(f) : "r"(int(word(i)) >> 20));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(g) : "r"(int(word(i)) >> 20));
  out[i] = d * 3 + unsigned(e) * 5 + unsigned(f) * 7 + unsigned(g);
}

// Finite operands of all magnitudes; a NaN's bits are not compared.
__device__ float finite(unsigned i) {
  const unsigned bits = word(i);
  return __uint_as_float((bits & 0x7f800000) == 0x7f800000 ? bits & 0xbfffffff : bits);
}
__device__ unsigned bits_of(float x) { return x != x ? 0x7fffffff : __float_as_uint(x); }
#define ROUNDED(name) \
  __global__ void run##name(unsigned *out) { THREAD; out[i] = bits_of(name(finite(i), finite(i / 2 * 31 + 7))); }
ROUNDED(__fadd_rz)
ROUNDED(__fadd_ru)
ROUNDED(__fadd_rd)
ROUNDED(__fmul_rz)
ROUNDED(__fmul_ru)
ROUNDED(__fmul_rd)
ROUNDED(__fdiv_rz)
ROUNDED(__fdiv_ru)
ROUNDED(__fdiv_rd)
ROUNDED(__fsub_rz)
__global__ void rounded_fma(unsigned *out) {
  THREAD;
  const float x = finite(i), y = finite(i * 3 + 1), z = finite(i * 5 + 2);
  out[i] = bits_of(__fmaf_rz(x, y, z)) * 3 + bits_of(__fmaf_ru(x, y, z)) * 5 + bits_of(__fmaf_rd(x, y, z));
}
__global__ void rounded_roots(unsigned *out) {
  THREAD;
  const float x = fabsf(finite(i));
  out[i] = bits_of(__fsqrt_rz(x)) * 3 + bits_of(__fsqrt_ru(x)) * 5 + bits_of(__frcp_rd(x)) * 7 + bits_of(__frcp_rz(x));
}
__global__ void rounded_double(unsigned *out) {
  THREAD;
  const double x = finite(i), y = finite(i * 3 + 1) * 1.2345678901234567;
  const double values[] = {__dadd_rz(x, y), __dadd_ru(x, y), __dmul_rd(x, y), __ddiv_rz(x, y), __fma_ru(x, y, x)};
  unsigned hash = 0;
  for (double value : values) hash = hash * 31 + (value != value ? 1 : unsigned(__double_as_longlong(value)));
  out[i] = hash;
}

int main() {
#define X(name) show(#name, run##name);
  BINARY(X) UNARY(X)
#undef X
  show("__byte_perm(a, b, c)", three0);
  show("__funnelshift_l(a, b, c)", three1);
  show("__funnelshift_r(a, b, c)", three2);
  show("__funnelshift_lc(a, b, c & 63)", three3);
  show("__funnelshift_rc(a, b, c & 63)", three4);
  show("__dp4a(int(a), int(b), int(c))", three5);
  show("__dp4a(a, b, c)", three6);
  show("__dp2a_lo(int(a), int(b), int(c))", three7);
  show("__dp2a_hi(a, b, c)", three8);
  show("__sad(int(a), int(b), c)", three9);
  show("__usad(a, b, c)", three10);
  show("prmt.b32 %0, %1, %2, %3;", ptx0);
  show("lop3.b32 %0, %1, %2, %3, 0xe8;", ptx1);
  show("lop3.b32 %0, %1, %2, %3, 0x96;", ptx2);
  show("bfe.u32 %0, %1, %2, %3;", ptx3);
  show("bfe.s32 %0, %1, %2, %3;", ptx4);
  show("mad.lo.u32 %0, %1, %2, %3;", ptx5);
  show("mad.hi.u32 %0, %1, %2, %3;", ptx6);
  show("mad.hi.s32 %0, %1, %2, %3;", ptx7);
  show("shf.l.wrap.b32 %0, %1, %2, %3;", ptx8);
  show("shf.r.clamp.b32 %0, %1, %2, %3;", ptx9);
  show("sad.s32 %0, %1, %2, %3;", ptx10);
  show("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }", ptx11);
  show("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, 0; }", ptx12);
  show("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %1, %3, p; }", ptx13);
  show("bfi", insert_bits);
  show("bfind", first_bit);
  show("wide products", wide_products);
  show("cvt.rni.s32.f32", whole0);
  show("cvt.rzi.s32.f32", whole1);
  show("cvt.rmi.s32.f32", whole2);
  show("cvt.rpi.s32.f32", whole3);
  show("saturated", saturated);
  show("__fadd_rz", run__fadd_rz);
  show("__fadd_ru", run__fadd_ru);
  show("__fadd_rd", run__fadd_rd);
  show("__fmul_rz", run__fmul_rz);
  show("__fmul_ru", run__fmul_ru);
  show("__fmul_rd", run__fmul_rd);
  show("__fdiv_rz", run__fdiv_rz);
  show("__fdiv_ru", run__fdiv_ru);
  show("__fdiv_rd", run__fdiv_rd);
  show("__fsub_rz", run__fsub_rz);
  show("fma", rounded_fma);
  show("roots", rounded_roots);
  show("double", rounded_double);
}
