// Integer intrinsics that are not operations of the IR, by what CUDA's manual says they compute.
#pragma once
#include "porter_host_defines.h"
#define PORTER_D_INLINE PORTER_D inline

PORTER_D_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
PORTER_D_INLINE long long __mul64hi(long long x, long long y) {
    const unsigned long long a = (unsigned long long)x, b = (unsigned long long)y;
    return (long long)(__umul64hi(a, b) - (x < 0 ? b : 0ull) - (y < 0 ? a : 0ull));
}
PORTER_D_INLINE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
PORTER_D_INLINE unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
PORTER_D_INLINE unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }
PORTER_D_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
PORTER_D_INLINE unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}

PORTER_D_INLINE unsigned long long porter_pair(unsigned int low, unsigned int high) {
    return (unsigned long long)high << 32 | low;
}
PORTER_D_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(porter_pair(low, high) << (shift & 31) >> 32);
}
PORTER_D_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(porter_pair(low, high) >> (shift & 31));
}
PORTER_D_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(porter_pair(low, high) << (shift < 32 ? shift : 32u) >> 32);
}
PORTER_D_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(porter_pair(low, high) >> (shift < 32 ? shift : 32u));
}
PORTER_D_INLINE unsigned int porter_picked(unsigned long long bytes, unsigned int number) {
    return (unsigned int)(bytes >> 8 * (number & 7)) & 0xFF;
}
PORTER_D_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    const unsigned long long bytes = porter_pair(x, y);
    return porter_picked(bytes, selector) | porter_picked(bytes, selector >> 4) << 8
        | porter_picked(bytes, selector >> 8) << 16 | porter_picked(bytes, selector >> 12) << 24;
}
PORTER_D_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    // The bit that is `offset` set bits from `base` on, upwards or downwards; -1 where there is none.
    unsigned int found = 0xFFFFFFFFu;
    int left = offset > 0 ? offset : offset < 0 ? -offset : 1;
    for (int step = 0; step < 32; step++) {
        const int bit = (int)base + (offset < 0 ? -step : step);
        const bool counts = bit >= 0 && bit < 32 && (offset != 0 || step == 0) && (mask >> (bit & 31) & 1);
        if (counts) {
            left -= 1;
            if (left == 0) found = (unsigned int)bit;
        }
    }
    return found;
}

// --- dot products of bytes ---

PORTER_D_INLINE int porter_signed_byte(int word, int number) { return (int)(signed char)(word >> 8 * number); }
PORTER_D_INLINE unsigned int porter_byte(unsigned int word, int number) { return word >> 8 * number & 0xFF; }
PORTER_D_INLINE int __dp4a(int a, int b, int c) {
    for (int k = 0; k < 4; k++) c += porter_signed_byte(a, k) * porter_signed_byte(b, k);
    return c;
}
PORTER_D_INLINE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int k = 0; k < 4; k++) c += porter_byte(a, k) * porter_byte(b, k);
    return c;
}
PORTER_D_INLINE int __dp2a_lo(int a, int b, int c) {
    return c + (int)(short)a * porter_signed_byte(b, 0) + (a >> 16) * porter_signed_byte(b, 1);
}
PORTER_D_INLINE int __dp2a_hi(int a, int b, int c) {
    return c + (int)(short)a * porter_signed_byte(b, 2) + (a >> 16) * porter_signed_byte(b, 3);
}

// --- several numbers in a word: `a` and `b` are the parts, `result` becomes the part of the result ---

#define PORTER_PARTS(name, part_type, bits, expression)                                   \
    PORTER_D_INLINE unsigned int name(unsigned int x, unsigned int y) {                   \
        unsigned int whole = 0;                                                           \
        for (int at = 0; at < 32; at += bits) {                                           \
            const int a = (part_type)(x >> at), b = (part_type)(y >> at);                 \
            whole |= ((unsigned int)(expression) & (0xFFFFFFFFu >> (32 - bits))) << at;   \
        }                                                                                 \
        return whole;                                                                     \
    }
#define PORTER_PARTS_2_4(name, s, type2, type4, expression) \
    PORTER_PARTS(__v##name##s##2, type2, 16, expression)    \
    PORTER_PARTS(__v##name##s##4, type4, 8, expression)
#define PORTER_UNSIGNED_PARTS(name, s, expression) PORTER_PARTS_2_4(name, s, unsigned short, unsigned char, expression)
#define PORTER_SIGNED_PARTS(name, s, expression) PORTER_PARTS_2_4(name, s, short, signed char, expression)
#define PORTER_COMPARED_PARTS(word, op)                      \
    PORTER_SIGNED_PARTS(cmp##word, s, a op b ? -1 : 0)       \
    PORTER_UNSIGNED_PARTS(cmp##word, u, a op b ? -1 : 0)     \
    PORTER_SIGNED_PARTS(set##word, s, a op b ? 1 : 0)        \
    PORTER_UNSIGNED_PARTS(set##word, u, a op b ? 1 : 0)
PORTER_UNSIGNED_PARTS(add, , a + b)
PORTER_UNSIGNED_PARTS(sub, , a - b)
PORTER_UNSIGNED_PARTS(cmpeq, , a == b ? -1 : 0)
PORTER_UNSIGNED_PARTS(cmpne, , a != b ? -1 : 0)
PORTER_UNSIGNED_PARTS(seteq, , a == b ? 1 : 0)
PORTER_UNSIGNED_PARTS(setne, , a != b ? 1 : 0)
PORTER_COMPARED_PARTS(gt, >)
PORTER_COMPARED_PARTS(ge, >=)
PORTER_COMPARED_PARTS(lt, <)
PORTER_COMPARED_PARTS(le, <=)
PORTER_SIGNED_PARTS(max, s, a > b ? a : b)
PORTER_SIGNED_PARTS(min, s, a < b ? a : b)
PORTER_UNSIGNED_PARTS(max, u, a > b ? a : b)
PORTER_UNSIGNED_PARTS(min, u, a < b ? a : b)
PORTER_SIGNED_PARTS(absdiff, s, a > b ? a - b : b - a)
PORTER_UNSIGNED_PARTS(absdiff, u, a > b ? a - b : b - a)
PORTER_SIGNED_PARTS(avg, s, a + b + (a + b >= 0) >> 1)
PORTER_UNSIGNED_PARTS(avg, u, a + b + 1 >> 1)
PORTER_UNSIGNED_PARTS(hadd, u, a + b >> 1)
PORTER_PARTS(__vaddss2, short, 16, a + b > 32767 ? 32767 : a + b < -32768 ? -32768 : a + b)
PORTER_PARTS(__vaddss4, signed char, 8, a + b > 127 ? 127 : a + b < -128 ? -128 : a + b)
PORTER_PARTS(__vsubss2, short, 16, a - b > 32767 ? 32767 : a - b < -32768 ? -32768 : a - b)
PORTER_PARTS(__vsubss4, signed char, 8, a - b > 127 ? 127 : a - b < -128 ? -128 : a - b)
PORTER_PARTS(__vaddus2, unsigned short, 16, a + b > 65535 ? 65535 : a + b)
PORTER_PARTS(__vaddus4, unsigned char, 8, a + b > 255 ? 255 : a + b)
PORTER_UNSIGNED_PARTS(subus, , a > b ? a - b : 0)
PORTER_D_INLINE unsigned int __vabs2(unsigned int x) { return __vabsdiffs2(x, 0); }
PORTER_D_INLINE unsigned int __vabs4(unsigned int x) { return __vabsdiffs4(x, 0); }
PORTER_D_INLINE unsigned int __vabsss2(unsigned int x) { return __vminu2(__vabsdiffs2(x, 0), 0x7FFF7FFFu); }
PORTER_D_INLINE unsigned int __vabsss4(unsigned int x) { return __vminu4(__vabsdiffs4(x, 0), 0x7F7F7F7Fu); }
PORTER_D_INLINE unsigned int __vneg2(unsigned int x) { return __vsub2(0, x); }
PORTER_D_INLINE unsigned int __vneg4(unsigned int x) { return __vsub4(0, x); }
PORTER_D_INLINE unsigned int __vnegss2(unsigned int x) { return __vsubss2(0, x); }
PORTER_D_INLINE unsigned int __vnegss4(unsigned int x) { return __vsubss4(0, x); }
PORTER_D_INLINE unsigned int __vsadu4(unsigned int x, unsigned int y) {
    unsigned int total = 0;
    for (int k = 0; k < 4; k++) total = __usad(porter_byte(x, k), porter_byte(y, k), total);
    return total;
}
PORTER_D_INLINE unsigned int __vsadu2(unsigned int x, unsigned int y) {
    return __usad(x & 0xFFFF, y & 0xFFFF, __usad(x >> 16, y >> 16, 0));
}
PORTER_D_INLINE unsigned int __vsads4(unsigned int x, unsigned int y) {
    unsigned int total = 0;
    for (int k = 0; k < 4; k++) total = __sad(porter_signed_byte((int)x, k), porter_signed_byte((int)y, k), total);
    return total;
}
#undef PORTER_PARTS
#undef PORTER_PARTS_2_4
#undef PORTER_UNSIGNED_PARTS
#undef PORTER_SIGNED_PARTS
#undef PORTER_COMPARED_PARTS

PORTER_D_INLINE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
PORTER_D_INLINE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
PORTER_D_INLINE int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
PORTER_D_INLINE int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
PORTER_D_INLINE unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) { return max(max(a, b), c); }
PORTER_D_INLINE unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) { return min(min(a, b), c); }
PORTER_D_INLINE int __viaddmax_s32(int a, int b, int c) { return max((int)((unsigned int)a + (unsigned int)b), c); }
PORTER_D_INLINE int __viaddmin_s32(int a, int b, int c) { return min((int)((unsigned int)a + (unsigned int)b), c); }
