// hipFFT, over the simulator.
#pragma once
#define HIPFFT_H_  // programs test it to see what was included
#pragma GCC system_header

#include "hip/hip_complex.h"
#include "hip/hip_runtime.h"

#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1

typedef enum hipfftResult_t {
  HIPFFT_SUCCESS = 0,
  HIPFFT_INVALID_PLAN = 1,
  HIPFFT_ALLOC_FAILED = 2,
  HIPFFT_INVALID_TYPE = 3,
  HIPFFT_INVALID_VALUE = 4,
  HIPFFT_INTERNAL_ERROR = 5,
  HIPFFT_EXEC_FAILED = 6,
  HIPFFT_SETUP_FAILED = 7,
  HIPFFT_INVALID_SIZE = 8,
  HIPFFT_UNALIGNED_DATA = 9,
  HIPFFT_INCOMPLETE_PARAMETER_LIST = 10,
  HIPFFT_INVALID_DEVICE = 11,
  HIPFFT_PARSE_ERROR = 12,
  HIPFFT_NO_WORKSPACE = 13,
  HIPFFT_NOT_IMPLEMENTED = 14,
  HIPFFT_LICENSE_ERROR = 15,
  HIPFFT_NOT_SUPPORTED = 16,
} hipfftResult;

typedef enum hipfftType_t {
  HIPFFT_R2C = 0x2a,
  HIPFFT_C2R = 0x2c,
  HIPFFT_C2C = 0x29,
  HIPFFT_D2Z = 0x6a,
  HIPFFT_Z2D = 0x6c,
  HIPFFT_Z2Z = 0x69,
} hipfftType;

typedef struct hipfftHandle_t *hipfftHandle;

#define PORTER_FFT(name) hipfft##name
#define PORTER_FFT_HANDLE hipfftHandle
#define PORTER_FFT_RESULT hipfftResult
#define PORTER_FFT_TYPE hipfftType
#define PORTER_FFT_ID(handle) int(size_t(handle))
#define PORTER_FFT_SET(handle, number) (handle) = (hipfftHandle)size_t(number)
#include "porter_sim/fft/face.h"
#undef PORTER_FFT
#undef PORTER_FFT_HANDLE
#undef PORTER_FFT_RESULT
#undef PORTER_FFT_TYPE
#undef PORTER_FFT_ID
#undef PORTER_FFT_SET

inline hipfftResult hipfftGetVersion(int *version) {
  *version = 10020;
  return HIPFFT_SUCCESS;
}
