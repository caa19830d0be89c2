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
  X(cudaErrorCudartUnloading, 4) \
  X(cudaErrorProfilerDisabled, 5) \
  X(cudaErrorProfilerNotInitialized, 6) \
  X(cudaErrorProfilerAlreadyStarted, 7) \
  X(cudaErrorProfilerAlreadyStopped, 8) \
  X(cudaErrorMapBufferObjectFailed, 14) \
  X(cudaErrorUnmapBufferObjectFailed, 15) \
  X(cudaErrorInvalidHostPointer, 16) \
  X(cudaErrorInvalidTexture, 18) \
  X(cudaErrorInvalidTextureBinding, 19) \
  X(cudaErrorInvalidChannelDescriptor, 20) \
  X(cudaErrorAddressOfConstant, 22) \
  X(cudaErrorTextureFetchFailed, 23) \
  X(cudaErrorTextureNotBound, 24) \
  X(cudaErrorSynchronizationError, 25) \
  X(cudaErrorMixedDeviceExecution, 28) \
  X(cudaErrorNotYetImplemented, 31) \
  X(cudaErrorMemoryValueTooLarge, 32) \
  X(cudaErrorInsufficientDriver, 35) \
  X(cudaErrorInvalidSurface, 37) \
  X(cudaErrorDuplicateVariableName, 43) \
  X(cudaErrorDuplicateTextureName, 44) \
  X(cudaErrorDuplicateSurfaceName, 45) \
  X(cudaErrorDevicesUnavailable, 46) \
  X(cudaErrorIncompatibleDriverContext, 49) \
  X(cudaErrorPriorLaunchFailure, 53) \
  X(cudaErrorLaunchMaxDepthExceeded, 65) \
  X(cudaErrorLaunchFileScopedTex, 66) \
  X(cudaErrorLaunchFileScopedSurf, 67) \
  X(cudaErrorSyncDepthExceeded, 68) \
  X(cudaErrorLaunchPendingCountExceeded, 69) \
  X(cudaErrorStartupFailure, 127) \
  X(cudaErrorInvalidKernelImage, 200) \
  X(cudaErrorNoKernelImageForDevice, 209) \
  X(cudaErrorECCUncorrectable, 214) \
  X(cudaErrorUnsupportedLimit, 215) \
  X(cudaErrorDeviceAlreadyInUse, 216) \
  X(cudaErrorInvalidPtx, 218) \
  X(cudaErrorInvalidGraphicsContext, 219) \
  X(cudaErrorJitCompilerNotFound, 221) \
  X(cudaErrorDeviceUninitialized, 201) \
  X(cudaErrorNvlinkUncorrectable, 220) \
  X(cudaErrorInvalidSource, 300) \
  X(cudaErrorFileNotFound, 301) \
  X(cudaErrorSharedObjectSymbolNotFound, 302) \
  X(cudaErrorSharedObjectInitFailed, 303) \
  X(cudaErrorOperatingSystem, 304) \
  X(cudaErrorSymbolNotFound, 500) \
  X(cudaErrorLaunchIncompatibleTexturing, 703) \
  X(cudaErrorPeerAccessNotEnabled, 705) \
  X(cudaErrorSetOnActiveProcess, 708) \
  X(cudaErrorTooManyPeers, 711) \
  X(cudaErrorHardwareStackError, 714) \
  X(cudaErrorIllegalInstruction, 715) \
  X(cudaErrorInvalidAddressSpace, 717) \
  X(cudaErrorInvalidPc, 718) \
  X(cudaErrorNotPermitted, 800) \
  X(cudaErrorStreamCaptureUnsupported, 900) \
  X(cudaErrorStreamCaptureInvalidated, 901) \
  X(cudaErrorStreamCaptureMerge, 902) \
  X(cudaErrorStreamCaptureUnmatched, 903) \
  X(cudaErrorStreamCaptureUnjoined, 904) \
  X(cudaErrorStreamCaptureIsolation, 905) \
  X(cudaErrorStreamCaptureImplicit, 906) \
  X(cudaErrorCapturedEvent, 907) \
  X(cudaErrorStreamCaptureWrongThread, 908) \
  X(cudaErrorTimeout, 909) \
  X(cudaErrorGraphExecUpdateFailure, 910) \
  X(cudaErrorMissingConfiguration, 52) \
  X(cudaErrorInvalidDeviceFunction, 98) \
  X(cudaErrorNoDevice, 100) \
  X(cudaErrorInvalidDevice, 101) \
  X(cudaErrorPeerAccessAlreadyEnabled, 704) \
  X(cudaErrorPeerAccessUnsupported, 217) \
  X(cudaErrorInvalidResourceHandle, 400) \
  X(cudaErrorIllegalState, 401) \
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
  X(cudaErrorUnknown, 999) \
  X(cudaErrorApiFailureBase, 10000)

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
