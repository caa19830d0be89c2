// cufft's plans by data type, over the simulator.
#pragma once
#pragma GCC system_header

#include "cufft.h"

#define PORTER_FFT(name) cufft##name
#define PORTER_FFT_HANDLE cufftHandle
#define PORTER_FFT_RESULT cufftResult
#define PORTER_FFT_TYPE cufftType
#define PORTER_FFT_ID(handle) (handle)
#define PORTER_FFT_CODE(name) CUFFT_##name
#define PORTER_FFT_DATA_TYPE cudaDataType
#define PORTER_FFT_DATA(name) CUDA_##name
#include "porter_sim/fft/by_type.h"
#undef PORTER_FFT
#undef PORTER_FFT_HANDLE
#undef PORTER_FFT_RESULT
#undef PORTER_FFT_TYPE
#undef PORTER_FFT_ID
#undef PORTER_FFT_CODE
#undef PORTER_FFT_DATA_TYPE
#undef PORTER_FFT_DATA
