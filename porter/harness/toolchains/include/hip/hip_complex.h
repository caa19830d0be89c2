// porter's own minimal hip_complex.h: complex numbers as HIP declares them, enough to build device code for AMD GPUs
// on a machine without ROCm. It is searched after every real header, and a build that used it says so.
#pragma once

#include <hip/hip_runtime.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define PORTER_COMPLEX static inline __device__ __host__ __attribute__((always_inline))
PORTER_COMPLEX hipFloatComplex make_hipFloatComplex(float x, float y) { return make_float2(x, y); }
PORTER_COMPLEX hipDoubleComplex make_hipDoubleComplex(double x, double y) { return make_double2(x, y); }
PORTER_COMPLEX hipComplex make_hipComplex(float x, float y) { return make_float2(x, y); }
PORTER_COMPLEX float hipCrealf(hipFloatComplex z) { return z.x; }
PORTER_COMPLEX float hipCimagf(hipFloatComplex z) { return z.y; }
PORTER_COMPLEX double hipCreal(hipDoubleComplex z) { return z.x; }
PORTER_COMPLEX double hipCimag(hipDoubleComplex z) { return z.y; }
PORTER_COMPLEX hipFloatComplex hipConjf(hipFloatComplex z) { return make_float2(z.x, -z.y); }
PORTER_COMPLEX hipDoubleComplex hipConj(hipDoubleComplex z) { return make_double2(z.x, -z.y); }
PORTER_COMPLEX float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
PORTER_COMPLEX double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }
PORTER_COMPLEX float hipCabsf(hipFloatComplex z) { return __builtin_sqrtf(hipCsqabsf(z)); }
PORTER_COMPLEX double hipCabs(hipDoubleComplex z) { return __builtin_sqrt(hipCsqabs(z)); }
PORTER_COMPLEX hipFloatComplex hipCaddf(hipFloatComplex p, hipFloatComplex q) {
  return make_float2(p.x + q.x, p.y + q.y);
}
PORTER_COMPLEX hipFloatComplex hipCsubf(hipFloatComplex p, hipFloatComplex q) {
  return make_float2(p.x - q.x, p.y - q.y);
}
PORTER_COMPLEX hipFloatComplex hipCmulf(hipFloatComplex p, hipFloatComplex q) {
  return make_float2(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);
}
PORTER_COMPLEX hipFloatComplex hipCdivf(hipFloatComplex p, hipFloatComplex q) {
  const float square = hipCsqabsf(q);
  return make_float2((p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);
}
PORTER_COMPLEX hipDoubleComplex hipCadd(hipDoubleComplex p, hipDoubleComplex q) {
  return make_double2(p.x + q.x, p.y + q.y);
}
PORTER_COMPLEX hipDoubleComplex hipCsub(hipDoubleComplex p, hipDoubleComplex q) {
  return make_double2(p.x - q.x, p.y - q.y);
}
PORTER_COMPLEX hipDoubleComplex hipCmul(hipDoubleComplex p, hipDoubleComplex q) {
  return make_double2(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);
}
PORTER_COMPLEX hipDoubleComplex hipCdiv(hipDoubleComplex p, hipDoubleComplex q) {
  const double square = hipCsqabs(q);
  return make_double2((p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);
}
PORTER_COMPLEX hipFloatComplex hipCfmaf(hipFloatComplex p, hipFloatComplex q, hipFloatComplex r) {
  return hipCaddf(hipCmulf(p, q), r);
}
PORTER_COMPLEX hipDoubleComplex hipCfma(hipDoubleComplex p, hipDoubleComplex q, hipDoubleComplex r) {
  return hipCadd(hipCmul(p, q), r);
}
PORTER_COMPLEX hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_float2(static_cast<float>(z.x), static_cast<float>(z.y));
}
PORTER_COMPLEX hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return make_double2(z.x, z.y); }
#undef PORTER_COMPLEX
