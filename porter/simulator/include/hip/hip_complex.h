// HIP's complex numbers.
#pragma once
#pragma GCC system_header

#include "hip/hip_runtime.h"
#include "porter_sim/libraries/complex.h"

typedef ::porter_sim::single2 hipFloatComplex;
typedef hipFloatComplex hipComplex;
typedef double2 hipDoubleComplex;

#define PORTER_HIP_COMPLEX(name) hipC##name
#define PORTER_HIP_COMPLEX_F(name) hipC##name##f
PORTER_COMPLEX_ARITHMETIC(hipDoubleComplex, double, PORTER_HIP_COMPLEX, make_hipDoubleComplex)
PORTER_COMPLEX_ARITHMETIC(hipFloatComplex, ::porter_sim::single, PORTER_HIP_COMPLEX_F, make_hipFloatComplex)

inline hipDoubleComplex hipConj(hipDoubleComplex a) { return {a.x, -a.y}; }
inline hipFloatComplex hipConjf(hipFloatComplex a) { return {a.x, -a.y}; }
inline double hipCsqabs(hipDoubleComplex a) { return a.x * a.x + a.y * a.y; }
inline ::porter_sim::single hipCsqabsf(hipFloatComplex a) { return a.x * a.x + a.y * a.y; }
inline hipComplex make_hipComplex(::porter_sim::single x, ::porter_sim::single y) { return {x, y}; }
inline hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex a) { return {double(a.x), double(a.y)}; }
inline hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex a) {
  return {::porter_sim::single(a.x), ::porter_sim::single(a.y)};
}
