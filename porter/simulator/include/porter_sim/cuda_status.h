// CUDA's status codes; the numbers are shared by both vendors.
#pragma once

#define PORTER_CUDA_STATUSES(X) \
  X(cudaSuccess, 0) \
  X(cudaErrorInvalidValue, 1) \
  X(cudaErrorMemoryAllocation, 2) \
  X(cudaErrorInitializationError, 3) \
  X(cudaErrorInvalidConfiguration, 9) \
  X(cudaErrorInvalidPitchValue, 12) \
  X(cudaErrorInvalidSymbol, 13) \
  X(cudaErrorInvalidDevicePointer, 17) \
  X(cudaErrorInvalidMemcpyDirection, 21) \
  X(cudaErrorInvalidFilterSetting, 26) \
  X(cudaErrorInvalidNormSetting, 27) \
  X(cudaErrorInsufficientDriver, 35) \
  X(cudaErrorMissingConfiguration, 52) \
  X(cudaErrorInvalidDeviceFunction, 98) \
  X(cudaErrorNoDevice, 100) \
  X(cudaErrorInvalidDevice, 101) \
  X(cudaErrorPeerAccessAlreadyEnabled, 704) \
  X(cudaErrorPeerAccessUnsupported, 217) \
  X(cudaErrorInvalidResourceHandle, 400) \
  X(cudaErrorNotReady, 600) \
  X(cudaErrorIllegalAddress, 700) \
  X(cudaErrorLaunchOutOfResources, 701) \
  X(cudaErrorLaunchTimeout, 702) \
  X(cudaErrorAssert, 710) \
  X(cudaErrorHostMemoryAlreadyRegistered, 712) \
  X(cudaErrorHostMemoryNotRegistered, 713) \
  X(cudaErrorMisalignedAddress, 716) \
  X(cudaErrorLaunchFailure, 719) \
  X(cudaErrorCooperativeLaunchTooLarge, 720) \
  X(cudaErrorNotSupported, 801) \
  X(cudaErrorUnknown, 999)

enum cudaError {
#define PORTER_STATUS(name, value) name = value,
  PORTER_CUDA_STATUSES(PORTER_STATUS)
#undef PORTER_STATUS
};
typedef cudaError cudaError_t;

inline const char *cudaGetErrorName(cudaError status) {
  switch (int(status)) {
#define PORTER_STATUS(name, value) \
  case value:                      \
    return #name;
    PORTER_CUDA_STATUSES(PORTER_STATUS)
#undef PORTER_STATUS
  }
  return "unrecognized error code";
}
