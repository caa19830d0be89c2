// Vector types with CUDA's sizes and alignments, their make_ functions, and dim3.
#pragma once

#include "porter_sim/config.h"

#define PORTER_VECTOR1(name, scalar)       \
  struct name##1 {                         \
    scalar x;                              \
  };                                       \
  constexpr name##1 make_##name##1(scalar x) { return {x}; }

#define PORTER_VECTOR2(name, scalar, align)  \
  struct __attribute__((aligned(align))) name##2 { \
    scalar x, y;                             \
  };                                         \
  constexpr name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }

#define PORTER_VECTOR3(name, scalar)       \
  struct name##3 {                         \
    scalar x, y, z;                        \
  };                                       \
  constexpr name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }

#define PORTER_VECTOR4(name, scalar, align)  \
  struct __attribute__((aligned(align))) name##4 { \
    scalar x, y, z, w;                       \
  };                                         \
  constexpr name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return {x, y, z, w}; }

#define PORTER_VECTORS(name, scalar, align2, align4) \
  PORTER_VECTOR1(name, scalar)                       \
  PORTER_VECTOR2(name, scalar, align2)               \
  PORTER_VECTOR3(name, scalar)                       \
  PORTER_VECTOR4(name, scalar, align4)

PORTER_VECTORS(char, signed char, 2, 4)
PORTER_VECTORS(uchar, unsigned char, 2, 4)
PORTER_VECTORS(short, short, 4, 8)
PORTER_VECTORS(ushort, unsigned short, 4, 8)
PORTER_VECTORS(int, int, 8, 16)
PORTER_VECTORS(uint, unsigned int, 8, 16)
PORTER_VECTORS(long, long, 16, 16)
PORTER_VECTORS(ulong, unsigned long, 16, 16)
PORTER_VECTORS(longlong, long long, 16, 16)
PORTER_VECTORS(ulonglong, unsigned long long, 16, 16)
PORTER_VECTORS(float, float, 8, 16)
PORTER_VECTORS(double, double, 16, 16)

#undef PORTER_VECTORS
#undef PORTER_VECTOR1
#undef PORTER_VECTOR2
#undef PORTER_VECTOR3
#undef PORTER_VECTOR4

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
