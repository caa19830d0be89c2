// Warp functions of every type, address spaces, and conversions of integers with a named rounding.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device.cuh"

__device__ void require(bool right, int line, int *wrong) {
  if (!right) atomicCAS(wrong, 0, line);
}
#define REQUIRE(condition) require(condition, __LINE__, wrong)

template <class T>
__device__ void shuffled(int *wrong) {
  int lane = int(threadIdx.x) % 32;
  REQUIRE(float(__shfl_sync(~0u, T(lane), 5)) == 5.0f);
  REQUIRE(float(__shfl_xor_sync(~0u, T(lane), 7)) == float(lane ^ 7));
  REQUIRE(float(__shfl_down_sync(~0u, T(lane), 2, 8)) == float(lane % 8 < 6 ? lane + 2 : lane));
  REQUIRE(float(__shfl_up_sync(~0u, T(lane), 3)) == float(lane >= 3 ? lane - 3 : lane));
}

template <class T>
__device__ void matched(int *wrong) {
  int lane = int(threadIdx.x) % 32, all = 5;
  REQUIRE(__match_any_sync(~0u, T(lane / 8)) == 0xffu << lane / 8 * 8);
  REQUIRE(__match_all_sync(~0u, T(3), &all) == ~0u && all == 1);
  REQUIRE(__match_all_sync(~0u, T(lane), &all) == 0 && all == 0);
}

__device__ int global_variable;

__global__ void every_type(int *wrong) {
  int lane = int(threadIdx.x) % 32;
  shuffled<int>(wrong), shuffled<unsigned>(wrong), shuffled<long>(wrong), shuffled<unsigned long long>(wrong);
  shuffled<float>(wrong), shuffled<double>(wrong), shuffled<__half>(wrong), shuffled<__nv_bfloat16>(wrong);
  shuffled<short>(wrong), shuffled<unsigned char>(wrong);
  __half2 pair = __shfl_down_sync(~0u, __floats2half2_rn(float(lane), 0.5f), 1);
  REQUIRE(__low2float(pair) == float(lane < 31 ? lane + 1 : 31) && __high2float(pair) == 0.5f);
  matched<int>(wrong), matched<unsigned long long>(wrong), matched<float>(wrong), matched<double>(wrong);
  REQUIRE(__match_any_sync(~0u, lane ? 0.0f : -0.0f) == (lane ? ~1u : 1u));  // bits, not values
  REQUIRE(__reduce_add_sync(~0u, -lane) == -496 && __reduce_max_sync(~0u, unsigned(lane)) == 31u);
  REQUIRE(__reduce_min_sync(~0u, lane - 16) == -16 && __reduce_or_sync(~0u, 1u << lane) == ~0u);
  REQUIRE(__reduce_xor_sync(~0u, unsigned(lane)) == 0u && __reduce_and_sync(~0u, ~(1u << lane)) == 0u);
  if (lane < 16) {
    REQUIRE(__reduce_add_sync(0xffffu, 2u) == 32u);
    __syncwarp(0xffff);
  }
  REQUIRE(__activemask() == ~0u);

  __shared__ float shared_variable[4];
  extern __shared__ float dynamic_variable[];
  int local = lane;
  REQUIRE(__isShared(shared_variable) && __isShared(dynamic_variable) && !__isGlobal(shared_variable));
  REQUIRE(__isGlobal(wrong) && __isGlobal(&global_variable) && !__isShared(wrong));
  REQUIRE(__isLocal(&local) && !__isGlobal(&local));
  unsigned offset = unsigned(__cvta_generic_to_shared(shared_variable + 1));
  REQUIRE(__cvta_shared_to_generic(offset) == shared_variable + 1);
  long long start = clock64();
  __nanosleep(100);
  REQUIRE(clock64() >= start);

  REQUIRE(__fns(0xf0u, 0, 2) == 5u && __fns(0xf0u, 6, 0) == 6u && __fns(0xf0u, 31, -1) == 7u && __fns(1u, 4, 1) == ~0u);
  REQUIRE(__int2float_rz(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
  REQUIRE(__int2float_rz(-16777217) == -16777216.0f && __int2float_rd(-16777217) == -16777218.0f);
  REQUIRE(__uint2float_rz(~0u) == 4294967040.0f && __uint2float_rn(~0u) == 4294967296.0f);
  REQUIRE(__ull2float_rd(~0ull) == 18446742974197923840.0f && __ll2double_rz(9007199254740993ll) == 9007199254740992.0);
  REQUIRE(__ull2double_ru(9007199254740993ull) == 9007199254740994.0);
  REQUIRE(__double2float_rz(1e300) == 3.402823466e38f && __double2float_rd(1e300) == 3.402823466e38f);
  REQUIRE(isinf(__double2float_ru(1e300)) && __double2float_ru(1.0 + 1e-12) == 1.00000012f);
  REQUIRE(__viaddmax_s32_relu(-5, 2, -1) == 0 && __vimax3_s32(1, 9, 4) == 9 && __vimin3_u32(3u, 2u, 4u) == 2u);
  REQUIRE(__viaddmax_s16x2(0x7fff0001u, 0x00010001u, 0x00000000u) == 0x00000002u);
}

int main() {
  Buffer<int> wrong(1);
  every_type<<<1, 64, 64>>>(wrong.device);
  expect("wrong at line", wrong.get()[0], 0);
  return finish();
}
