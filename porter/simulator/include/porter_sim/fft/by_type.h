// Plans by data type, as both vendors' second FFT header has them. Includers define PORTER_FFT(name),
// PORTER_FFT_HANDLE, PORTER_FFT_ID(handle), PORTER_FFT_RESULT, PORTER_FFT_TYPE, PORTER_FFT_DATA_TYPE,
// PORTER_FFT_DATA(name), an element type, and PORTER_FFT_CODE(name), a result.
// Callbacks, several GPUs and half precision are not simulated.

namespace porter_sim::fft {
// The transform from one type to the other, by the number that both vendors give it, or zero.
inline int type_between(PORTER_FFT_DATA_TYPE input, PORTER_FFT_DATA_TYPE output) {
  if (input == PORTER_FFT_DATA(C_32F) && output == PORTER_FFT_DATA(C_32F)) return 0x29;
  if (input == PORTER_FFT_DATA(C_64F) && output == PORTER_FFT_DATA(C_64F)) return 0x69;
  if (input == PORTER_FFT_DATA(R_32F) && output == PORTER_FFT_DATA(C_32F)) return 0x2a;
  if (input == PORTER_FFT_DATA(C_32F) && output == PORTER_FFT_DATA(R_32F)) return 0x2c;
  if (input == PORTER_FFT_DATA(R_64F) && output == PORTER_FFT_DATA(C_64F)) return 0x6a;
  if (input == PORTER_FFT_DATA(C_64F) && output == PORTER_FFT_DATA(R_64F)) return 0x6c;
  return 0;
}
}  // namespace porter_sim::fft

inline PORTER_FFT_RESULT PORTER_FFT(XtMakePlanMany)(PORTER_FFT_HANDLE plan, int rank, long long *n, long long *inembed,
                                                    long long istride, long long idist, PORTER_FFT_DATA_TYPE input,
                                                    long long *onembed, long long ostride, long long odist,
                                                    PORTER_FFT_DATA_TYPE output, long long batch, size_t *work_bytes,
                                                    PORTER_FFT_DATA_TYPE execution) {
  const int type = ::porter_sim::fft::type_between(input, output);
  const bool precise = input == PORTER_FFT_DATA(R_64F) || input == PORTER_FFT_DATA(C_64F);
  if (!type || execution != (precise ? PORTER_FFT_DATA(C_64F) : PORTER_FFT_DATA(C_32F))) {
    return PORTER_FFT_CODE(NOT_SUPPORTED);
  }
  return PORTER_FFT(MakePlanMany64)(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, PORTER_FFT_TYPE(type),
                                    batch, work_bytes);
}
inline PORTER_FFT_RESULT PORTER_FFT(XtGetSizeMany)(PORTER_FFT_HANDLE plan, int, long long *, long long *, long long, long long,
                                                   PORTER_FFT_DATA_TYPE, long long *, long long, long long,
                                                   PORTER_FFT_DATA_TYPE, long long, size_t *work_bytes,
                                                   PORTER_FFT_DATA_TYPE) {
  return PORTER_FFT(GetSize)(plan, work_bytes);
}
// The plan's own transform; the direction, -1 or 1, counts between complex numbers only.
PORTER_NOINLINE inline PORTER_FFT_RESULT PORTER_FFT(XtExec)(PORTER_FFT_HANDLE plan, void *input, void *output,
                                                            int direction) {
  if (direction != -1 && direction != 1) return PORTER_FFT_CODE(INVALID_VALUE);
  return static_cast<PORTER_FFT_RESULT>(::porter_sim::fft::execute(
      PORTER_FFT_ID(plan), input, output, ::porter_sim::fft::any_type, direction, __builtin_return_address(0)));
}
