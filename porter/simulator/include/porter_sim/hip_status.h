// HIP's status codes; the numbers are shared by both vendors.
#pragma once

#define PORTER_HIP_STATUSES(X) \
  X(hipSuccess, 0) \
  X(hipErrorInvalidValue, 1) \
  X(hipErrorOutOfMemory, 2) \
  X(hipErrorInitializationError, 3) \
  X(hipErrorInvalidConfiguration, 9) \
  X(hipErrorInvalidPitchValue, 12) \
  X(hipErrorInvalidSymbol, 13) \
  X(hipErrorInvalidDevicePointer, 17) \
  X(hipErrorInvalidMemcpyDirection, 21) \
  X(hipErrorInsufficientDriver, 35) \
  X(hipErrorMissingConfiguration, 52) \
  X(hipErrorInvalidDeviceFunction, 98) \
  X(hipErrorNoDevice, 100) \
  X(hipErrorInvalidDevice, 101) \
  X(hipErrorPeerAccessAlreadyEnabled, 704) \
  X(hipErrorPeerAccessUnsupported, 217) \
  X(hipErrorInvalidHandle, 400) \
  X(hipErrorIllegalState, 401) \
  X(hipErrorNotReady, 600) \
  X(hipErrorStreamCaptureUnsupported, 900) \
  X(hipErrorStreamCaptureInvalidated, 901) \
  X(hipErrorStreamCaptureMerge, 902) \
  X(hipErrorStreamCaptureUnmatched, 903) \
  X(hipErrorStreamCaptureUnjoined, 904) \
  X(hipErrorStreamCaptureIsolation, 905) \
  X(hipErrorStreamCaptureImplicit, 906) \
  X(hipErrorGraphExecUpdateFailure, 910) \
  X(hipErrorIllegalAddress, 700) \
  X(hipErrorLaunchOutOfResources, 701) \
  X(hipErrorLaunchTimeOut, 702) \
  X(hipErrorAssert, 710) \
  X(hipErrorHostMemoryAlreadyRegistered, 712) \
  X(hipErrorHostMemoryNotRegistered, 713) \
  X(hipErrorLaunchFailure, 719) \
  X(hipErrorCooperativeLaunchTooLarge, 720) \
  X(hipErrorNotSupported, 801) \
  X(hipErrorUnknown, 999)

enum hipError_t {
#define PORTER_STATUS(name, value) name = value,
  PORTER_HIP_STATUSES(PORTER_STATUS)
#undef PORTER_STATUS
};

inline const char *hipGetErrorName(hipError_t status) {
  switch (int(status)) {
#define PORTER_STATUS(name, value) \
  case value:                      \
    return #name;
    PORTER_HIP_STATUSES(PORTER_STATUS)
#undef PORTER_STATUS
  }
  return "unrecognized error code";
}
