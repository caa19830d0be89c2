// What every header of the simulator assumes: the face, the lane count, and the execution-space keywords.
// PORTER_SIM_HIP selects the HIP face (else CUDA), PORTER_SIM_LANES is 32 or 64, PORTER_SIM_WIDE marks the
// double-precision reference.
#pragma once

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef PORTER_SIM_LANES
#define PORTER_SIM_LANES 32
#endif

// For programs that have to know that they are simulated.
#define __PORTER_SIM__ 1

#define PORTER_TLS __thread __attribute__((tls_model("local-exec")))
#define PORTER_INLINE inline __attribute__((always_inline))
// The caller's place, filled in by the compiler at the call.
#define PORTER_HERE const char *porter_file = __builtin_FILE(), int porter_line = __builtin_LINE()

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __device_builtin_texture_type__
#define __builtin_align__(n) __align__(n)
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define PORTER_NOINLINE __attribute__((noinline))
// Declarations the rewriting could not take apart still are one object per block: a block never leaves its worker.
#define __shared__ static thread_local

namespace porter_sim {

inline constexpr int lanes = PORTER_SIM_LANES;
using lane_mask = unsigned long long;

static_assert(lanes == 32 || lanes == 64, "a warp has 32 or 64 lanes");

}  // namespace porter_sim
