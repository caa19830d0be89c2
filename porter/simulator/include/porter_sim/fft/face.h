// Fourier transforms under a vendor's names. Includers define PORTER_FFT(name), PORTER_FFT_HANDLE, PORTER_FFT_ID(handle)
// (the plan's number), PORTER_FFT_SET(handle, number), PORTER_FFT_RESULT and PORTER_FFT_TYPE.
#pragma once

#include "porter_sim/fft/core.h"

typedef ::porter_sim::single PORTER_FFT(Real);
typedef double PORTER_FFT(DoubleReal);
typedef ::porter_sim::single2 PORTER_FFT(Complex);
typedef double2 PORTER_FFT(DoubleComplex);

namespace porter_sim::fft {

struct Lengths {
  long long of[3] = {1, 1, 1};
  template <class Int>
  Lengths(int rank, const Int *values) {
    for (int i = 0; values && i < rank && i < 3; ++i) of[i] = (long long)values[i];
  }
};

template <class Int>
int make_many(int plan, int rank, Int *sizes, Int *inembed, Int istride, Int idist, Int *onembed, Int ostride, Int odist,
              int type, Int batch, size_t *work_bytes) {
  if (rank < 1 || rank > 3 || !sizes) return status_invalid_value;
  Lengths n(rank, sizes), in(rank, inembed), out(rank, onembed);
  return make(plan, rank, n.of, {inembed ? in.of : nullptr, (long long)istride, (long long)idist},
              {onembed ? out.of : nullptr, (long long)ostride, (long long)odist}, type, (long long)batch, work_bytes);
}
inline int make_basic(int plan, int rank, const int *sizes, int type, int batch, size_t *work_bytes) {
  return make(plan, rank, Lengths(rank, sizes).of, {}, {}, type, batch, work_bytes);
}

}  // namespace porter_sim::fft

#define PORTER_FFT_CALL(...) static_cast<PORTER_FFT_RESULT>(::porter_sim::fft::__VA_ARGS__)

inline PORTER_FFT_RESULT PORTER_FFT(Create)(PORTER_FFT_HANDLE *plan) {
  int number = 0, status = ::porter_sim::fft::create(&number);
  PORTER_FFT_SET(*plan, number);
  return PORTER_FFT_RESULT(status);
}
inline PORTER_FFT_RESULT PORTER_FFT(Destroy)(PORTER_FFT_HANDLE plan) {
  return PORTER_FFT_CALL(destroy(PORTER_FFT_ID(plan)));
}

#define PORTER_FFT_BASIC(suffix, rank, batch, sizes, ...)                                                          \
  inline PORTER_FFT_RESULT PORTER_FFT(MakePlan##suffix)(PORTER_FFT_HANDLE plan, __VA_ARGS__, size_t *work_bytes) { \
    const int n[] = {PORTER_FFT_SIZES sizes};                                                                      \
    return PORTER_FFT_CALL(make_basic(PORTER_FFT_ID(plan), rank, n, int(type), batch, work_bytes));                \
  }                                                                                                                \
  inline PORTER_FFT_RESULT PORTER_FFT(Plan##suffix)(PORTER_FFT_HANDLE * plan, __VA_ARGS__) {                       \
    const int n[] = {PORTER_FFT_SIZES sizes};                                                                      \
    PORTER_FFT(Create)(plan);                                                                                      \
    return PORTER_FFT_CALL(make_basic(PORTER_FFT_ID(*plan), rank, n, int(type), batch, nullptr));                  \
  }                                                                                                                \
  inline PORTER_FFT_RESULT PORTER_FFT(Estimate##suffix)(__VA_ARGS__, size_t * work_bytes) {                        \
    (void)type;                                                                                                    \
    *work_bytes = 0;                                                                                               \
    return PORTER_FFT_RESULT(0);                                                                                   \
  }
#define PORTER_FFT_SIZES(...) __VA_ARGS__
PORTER_FFT_BASIC(1d, 1, batch, (nx), int nx, PORTER_FFT_TYPE type, int batch)
PORTER_FFT_BASIC(2d, 2, 1, (nx, ny), int nx, int ny, PORTER_FFT_TYPE type)
PORTER_FFT_BASIC(3d, 3, 1, (nx, ny, nz), int nx, int ny, int nz, PORTER_FFT_TYPE type)
#undef PORTER_FFT_BASIC
#undef PORTER_FFT_SIZES

inline PORTER_FFT_RESULT PORTER_FFT(MakePlanMany)(PORTER_FFT_HANDLE plan, int rank, int *n, int *inembed, int istride,
                                                  int idist, int *onembed, int ostride, int odist, PORTER_FFT_TYPE type,
                                                  int batch, size_t *work_bytes) {
  return PORTER_FFT_CALL(make_many(PORTER_FFT_ID(plan), rank, n, inembed, istride, idist, onembed, ostride, odist,
                                   int(type), batch, work_bytes));
}
inline PORTER_FFT_RESULT PORTER_FFT(MakePlanMany64)(PORTER_FFT_HANDLE plan, int rank, long long *n, long long *inembed,
                                                    long long istride, long long idist, long long *onembed,
                                                    long long ostride, long long odist, PORTER_FFT_TYPE type,
                                                    long long batch, size_t *work_bytes) {
  return PORTER_FFT_CALL(make_many(PORTER_FFT_ID(plan), rank, n, inembed, istride, idist, onembed, ostride, odist,
                                   int(type), batch, work_bytes));
}
inline PORTER_FFT_RESULT PORTER_FFT(PlanMany)(PORTER_FFT_HANDLE *plan, int rank, int *n, int *inembed, int istride,
                                              int idist, int *onembed, int ostride, int odist, PORTER_FFT_TYPE type,
                                              int batch) {
  PORTER_FFT(Create)(plan);
  return PORTER_FFT(MakePlanMany)(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
// Transforms need no work area here.
inline PORTER_FFT_RESULT PORTER_FFT(GetSize)(PORTER_FFT_HANDLE plan, size_t *work_bytes) {
  *work_bytes = 0;
  return PORTER_FFT_CALL(check(PORTER_FFT_ID(plan)));
}
inline PORTER_FFT_RESULT PORTER_FFT(SetAutoAllocation)(PORTER_FFT_HANDLE plan, int) {
  return PORTER_FFT_CALL(check(PORTER_FFT_ID(plan)));
}
inline PORTER_FFT_RESULT PORTER_FFT(SetWorkArea)(PORTER_FFT_HANDLE plan, void *) {
  return PORTER_FFT_CALL(check(PORTER_FFT_ID(plan)));
}
template <class Stream>
PORTER_FFT_RESULT PORTER_FFT(SetStream)(PORTER_FFT_HANDLE plan, Stream) {
  return PORTER_FFT_CALL(check(PORTER_FFT_ID(plan)));
}

#define PORTER_FFT_EXECUTE(name, type, In, Out)                                                                    \
  PORTER_NOINLINE inline PORTER_FFT_RESULT PORTER_FFT(Exec##name)(PORTER_FFT_HANDLE plan, In * input, Out * output) { \
    return PORTER_FFT_CALL(execute(PORTER_FFT_ID(plan), input, output, type, 0, __builtin_return_address(0)));     \
  }
#define PORTER_FFT_EXECUTE_BOTH_WAYS(name, type, T)                                                               \
  PORTER_NOINLINE inline PORTER_FFT_RESULT PORTER_FFT(Exec##name)(PORTER_FFT_HANDLE plan, T * input, T * output,  \
                                                                 int direction) {                                \
    if (direction != -1 && direction != 1) return PORTER_FFT_CALL(status_invalid_value);                          \
    return PORTER_FFT_CALL(execute(PORTER_FFT_ID(plan), input, output, type, direction, __builtin_return_address(0))); \
  }
PORTER_FFT_EXECUTE(R2C, ::porter_sim::fft::real_to_complex, PORTER_FFT(Real), PORTER_FFT(Complex))
PORTER_FFT_EXECUTE(C2R, ::porter_sim::fft::complex_to_real, PORTER_FFT(Complex), PORTER_FFT(Real))
PORTER_FFT_EXECUTE(D2Z, ::porter_sim::fft::double_real_to_complex, PORTER_FFT(DoubleReal), PORTER_FFT(DoubleComplex))
PORTER_FFT_EXECUTE(Z2D, ::porter_sim::fft::double_complex_to_real, PORTER_FFT(DoubleComplex), PORTER_FFT(DoubleReal))
PORTER_FFT_EXECUTE_BOTH_WAYS(C2C, ::porter_sim::fft::complex_to_complex, PORTER_FFT(Complex))
PORTER_FFT_EXECUTE_BOTH_WAYS(Z2Z, ::porter_sim::fft::double_complex_to_complex, PORTER_FFT(DoubleComplex))
#undef PORTER_FFT_EXECUTE
#undef PORTER_FFT_EXECUTE_BOTH_WAYS
#undef PORTER_FFT_CALL
