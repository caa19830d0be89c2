// CUDA's built-in vector types and their constructors.
#pragma once
#include "porter_host_defines.h"

#define PORTER_VECTOR(T, name, align2, align4)                                                      \
    struct name##1 { T x; };                                                                        \
    struct __align__(align2) name##2 { T x, y; };                                                   \
    struct name##3 { T x, y, z; };                                                                  \
    struct __align__(align4) name##4 { T x, y, z, w; };                                             \
    PORTER_HD name##1 make_##name##1(T x);                                                          \
    PORTER_HD name##2 make_##name##2(T x, T y);                                                     \
    PORTER_HD name##3 make_##name##3(T x, T y, T z);                                                \
    PORTER_HD name##4 make_##name##4(T x, T y, T z, T w);

PORTER_VECTOR(signed char, char, 2, 4)
PORTER_VECTOR(unsigned char, uchar, 2, 4)
PORTER_VECTOR(short, short, 4, 8)
PORTER_VECTOR(unsigned short, ushort, 4, 8)
PORTER_VECTOR(int, int, 8, 16)
PORTER_VECTOR(unsigned int, uint, 8, 16)
PORTER_VECTOR(long, long, 16, 16)
PORTER_VECTOR(unsigned long, ulong, 16, 16)
PORTER_VECTOR(long long, longlong, 16, 16)
PORTER_VECTOR(unsigned long long, ulonglong, 16, 16)
PORTER_VECTOR(float, float, 8, 16)
PORTER_VECTOR(double, double, 16, 16)
#undef PORTER_VECTOR

struct dim3 {
    unsigned int x, y, z;
    PORTER_HD constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    PORTER_HD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    PORTER_HD constexpr operator uint3() const { return uint3{x, y, z}; }
};

extern const PORTER_D uint3 threadIdx;
extern const PORTER_D uint3 blockIdx;
extern const PORTER_D dim3 blockDim;
extern const PORTER_D dim3 gridDim;
extern const PORTER_D int warpSize;
