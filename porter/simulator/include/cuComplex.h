// CUDA's complex numbers.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
#include "porter_sim/libraries/complex.h"

#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#endif

typedef ::porter_sim::single2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define PORTER_CU_COMPLEX(name) cuC##name
#define PORTER_CU_COMPLEX_F(name) cuC##name##f
PORTER_COMPLEX_ARITHMETIC(cuDoubleComplex, double, PORTER_CU_COMPLEX, make_cuDoubleComplex)
PORTER_COMPLEX_ARITHMETIC(cuFloatComplex, ::porter_sim::single, PORTER_CU_COMPLEX_F, make_cuFloatComplex)

inline cuDoubleComplex cuConj(cuDoubleComplex a) { return {a.x, -a.y}; }
inline cuFloatComplex cuConjf(cuFloatComplex a) { return {a.x, -a.y}; }
inline cuComplex make_cuComplex(::porter_sim::single x, ::porter_sim::single y) { return {x, y}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {double(a.x), double(a.y)}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {::porter_sim::single(a.x), ::porter_sim::single(a.y)};
}
