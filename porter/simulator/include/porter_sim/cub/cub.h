// All of CUB, in the namespace PORTER_CUB.
#pragma once

#include "porter_sim/cub/block_move.h"
#include "porter_sim/cub/block_reduce_scan.h"
#include "porter_sim/cub/block_sort.h"
#include "porter_sim/cub/device_reduce_scan.h"
#include "porter_sim/cub/device_select.h"
#include "porter_sim/cub/device_sort.h"
#include "porter_sim/cub/iterators.h"
#include "porter_sim/cub/warp.h"

#define CubDebug(e) (e)
#define CubDebugExit(e)                                       \
  do {                                                        \
    if (int(e)) {                                             \
      fprintf(stderr, "CUDA error %d\n", int(e)), exit(1);    \
    }                                                         \
  } while (0)

namespace PORTER_CUB {

// Every allocation is a new one.
struct CachingDeviceAllocator {
  template <class... Settings>
  CachingDeviceAllocator(Settings...) {}
  template <class... Stream>
  PORTER_ERROR DeviceAllocate(void **out, size_t bytes, Stream...) {
    return PORTER_ERROR(::porter_sim::api::malloc_device(out, bytes, 0));
  }
  PORTER_ERROR DeviceFree(void *address) { return PORTER_ERROR(::porter_sim::api::free_device(address)); }
  PORTER_ERROR FreeAllCached() { return PORTER_ERROR(0); }
};

}  // namespace PORTER_CUB
