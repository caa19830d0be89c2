// needs: 
#ifndef PORTER_UNFUSED
#define PORTER_UNFUSED
// Sums and products that are rounded by themselves, as CUDA promises of the intrinsics in _rn: HIP's compiler makes
// one fma of a product and a sum, unless told not to.
#ifdef __clang__
#define PORTER_UNFUSED_RESULT(value) _Pragma("clang fp contract(off)") return value
#else
#define PORTER_UNFUSED_RESULT(value) return value
#endif
__device__ inline float porter_fadd_rn(float a, float b) { PORTER_UNFUSED_RESULT(a + b); }
__device__ inline float porter_fsub_rn(float a, float b) { PORTER_UNFUSED_RESULT(a - b); }
__device__ inline float porter_fmul_rn(float a, float b) { PORTER_UNFUSED_RESULT(a * b); }
__device__ inline double porter_dadd_rn(double a, double b) { PORTER_UNFUSED_RESULT(a + b); }
__device__ inline double porter_dsub_rn(double a, double b) { PORTER_UNFUSED_RESULT(a - b); }
__device__ inline double porter_dmul_rn(double a, double b) { PORTER_UNFUSED_RESULT(a * b); }
#undef PORTER_UNFUSED_RESULT
#endif
