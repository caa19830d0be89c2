// hipfft's plans by data type, over the simulator.
#pragma once
#pragma GCC system_header

#include "hip/library_types.h"
#include "hipfft/hipfft.h"

#define PORTER_FFT(name) hipfft##name
#define PORTER_FFT_HANDLE hipfftHandle
#define PORTER_FFT_RESULT hipfftResult
#define PORTER_FFT_TYPE hipfftType
#define PORTER_FFT_ID(handle) int(size_t(handle))
#define PORTER_FFT_CODE(name) HIPFFT_##name
#define PORTER_FFT_DATA_TYPE hipDataType
#define PORTER_FFT_DATA(name) HIP_##name
#include "porter_sim/fft/by_type.h"
#undef PORTER_FFT
#undef PORTER_FFT_HANDLE
#undef PORTER_FFT_RESULT
#undef PORTER_FFT_TYPE
#undef PORTER_FFT_ID
#undef PORTER_FFT_CODE
#undef PORTER_FFT_DATA_TYPE
#undef PORTER_FFT_DATA
