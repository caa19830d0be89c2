// cuFFT's plans by data type; callbacks, several GPUs and half precision are not simulated.
#pragma once

#include "cufft.h"

namespace porter_sim::fft {
// The transform from one type to the other, or zero.
inline int type_between(cudaDataType input, cudaDataType output) {
  if (input == CUDA_C_32F && output == CUDA_C_32F) return CUFFT_C2C;
  if (input == CUDA_C_64F && output == CUDA_C_64F) return CUFFT_Z2Z;
  if (input == CUDA_R_32F && output == CUDA_C_32F) return CUFFT_R2C;
  if (input == CUDA_C_32F && output == CUDA_R_32F) return CUFFT_C2R;
  if (input == CUDA_R_64F && output == CUDA_C_64F) return CUFFT_D2Z;
  if (input == CUDA_C_64F && output == CUDA_R_64F) return CUFFT_Z2D;
  return 0;
}
}  // namespace porter_sim::fft

inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                       long long idist, cudaDataType input, long long *onembed, long long ostride,
                                       long long odist, cudaDataType output, long long batch, size_t *work_bytes,
                                       cudaDataType execution) {
  const int type = ::porter_sim::fft::type_between(input, output);
  const bool precise = input == CUDA_R_64F || input == CUDA_C_64F;
  if (!type || execution != (precise ? CUDA_C_64F : CUDA_C_32F)) return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, cufftType(type), batch,
                             work_bytes);
}
inline cufftResult cufftXtGetSizeMany(cufftHandle plan, int, long long *, long long *, long long, long long, cudaDataType,
                                      long long *, long long, long long, cudaDataType, long long, size_t *work_bytes,
                                      cudaDataType) {
  return cufftGetSize(plan, work_bytes);
}
// The plan's own transform; the direction counts between complex numbers only.
PORTER_NOINLINE inline cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction) {
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  return static_cast<cufftResult>(::porter_sim::fft::execute(plan, input, output, ::porter_sim::fft::any_type, direction,
                                                             __builtin_return_address(0)));
}
