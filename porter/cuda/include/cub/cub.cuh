// What a kernel can use of CUB: the primitives below. The algorithms for a whole device are called by the host.
#pragma once
#include "block/block_load.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"
