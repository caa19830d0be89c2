// Filling a face's device properties from the simulated GPU. Included by the faces.
#pragma once

#include "porter_sim/api_core.h"

namespace porter_sim {

template <class Properties>
void fill_properties(Properties &p) {
  DeviceFigures d;
  device_figures(d);
  p = Properties{};
  memcpy(p.name, d.name, sizeof p.name);
  p.totalGlobalMem = d.memory;
  p.sharedMemPerBlock = d.shared_per_block;
  p.sharedMemPerBlockOptin = d.shared_per_block_optin;
  p.sharedMemPerMultiprocessor = d.shared_per_multiprocessor;
  p.regsPerBlock = p.regsPerMultiprocessor = d.registers;
  p.warpSize = lanes;
  p.maxThreadsPerBlock = d.threads_per_block;
  p.maxThreadsPerMultiProcessor = d.threads_per_multiprocessor;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = d.threads_per_block;
  p.maxThreadsDim[2] = lanes == 64 ? d.threads_per_block : 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = lanes == 64 ? 2147483647 : 65535;
  p.clockRate = d.clock_khz;
  p.memoryClockRate = 2600000;
  p.memoryBusWidth = 8192;
  p.totalConstMem = 65536;
  p.major = d.major;
  p.minor = d.minor;
  p.multiProcessorCount = d.multiprocessors;
  p.l2CacheSize = int(d.l2);
  p.maxBlocksPerMultiProcessor = d.blocks_per_multiprocessor;
  p.streamPrioritiesSupported = 1;
  p.maxTexture1D = 131072;
  p.maxTexture2D[0] = p.maxTexture2D[1] = 65536;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
  p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = p.concurrentManagedAccess = 1;
  p.concurrentKernels = p.cooperativeLaunch = 1;
  p.deviceOverlap = p.asyncEngineCount = 1;  // copies beside kernels: at least one engine, as every GPU has
  p.memPitch = 2147483647;
  p.textureAlignment = p.texturePitchAlignment = 512;
}

}  // namespace porter_sim

#define PORTER_PROPERTY_FIELDS                                                                         \
  char name[256];                                                                                      \
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;        \
  size_t totalConstMem, memPitch, textureAlignment, texturePitchAlignment, surfaceAlignment;           \
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;  \
  int maxThreadsDim[3], maxGridSize[3], maxTexture1D, maxTexture2D[2], maxTexture3D[3];                \
  int clockRate, memoryClockRate, memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize;      \
  int canMapHostMemory, unifiedAddressing, managedMemory, concurrentManagedAccess, concurrentKernels;  \
  int cooperativeLaunch, cooperativeMultiDeviceLaunch, deviceOverlap, asyncEngineCount, integrated;    \
  int kernelExecTimeoutEnabled, computeMode, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;           \
  int tccDriver, isMultiGpuBoard, multiGpuBoardGroupID, pageableMemoryAccess, maxBlocksPerMultiProcessor; \
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported, hostNativeAtomicSupported; \
  int singleToDoublePrecisionPerfRatio, computePreemptionSupported, canUseHostPointerForRegisteredMem;  \
  int maxTexture1DLayered[2], maxTexture2DLayered[3], directManagedMemAccessFromHost;                  \
  int pageableMemoryAccessUsesHostPageTables, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;     \
  size_t reservedSharedMemPerBlock
