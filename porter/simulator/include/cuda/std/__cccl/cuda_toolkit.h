// Whether libcu++ has a CUDA toolkit beside it: not where the program is HIP's, though CUDA's headers can be found.
#pragma GCC system_header
#ifndef PORTER_SIM_HIP
#include_next <cuda/std/__cccl/cuda_toolkit.h>
#else
#pragma once
#define _CCCL_HAS_CTK() 0
#define _CCCL_CTK() _CCCL_VERSION_INVALID()
#define _CCCL_CTK_MAKE_VERSION(major, minor) ((major) * 1000 + (minor) * 10)
#define _CCCL_CTK_BELOW(...) _CCCL_VERSION_COMPARE(_CCCL_CTK_, _CCCL_CTK, <, __VA_ARGS__)
#define _CCCL_CTK_AT_LEAST(...) _CCCL_VERSION_COMPARE(_CCCL_CTK_, _CCCL_CTK, >=, __VA_ARGS__)
#endif
