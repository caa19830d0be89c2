// HIP at 64 lanes: what differs from CUDA.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "checks.h"

namespace cg = cooperative_groups;
__constant__ float scale[2];

__global__ void __launch_bounds__(256) wave_sum(const float *x, float *out) {
  float v = x[threadIdx.x] * scale[0];
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) v += __shfl_down(v, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}

__global__ void half_waves(const float *x, float *out) {
  float v = x[threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down(v, offset, 32);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

__global__ void masks(unsigned long long *out) {
  unsigned long long odd = __ballot(threadIdx.x % 2), few = 0, synced = __ballot_sync(~0ull, threadIdx.x < 40);
  if (threadIdx.x < 48) few = __ballot(1);
  int popular = __popcll(__match_any(threadIdx.x % 4));
  if (threadIdx.x == 0) out[0] = odd, out[1] = few, out[2] = synced, out[3] = popular;
}

__global__ void absent_lane(int *out) {
  int v = 7;
  if (threadIdx.x < 32) v = __shfl(int(threadIdx.x) + 1, 40);
  out[threadIdx.x] = v;
}

__global__ void tiles(int *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = int(threadIdx.x);
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = v;
}

__global__ void wrong_mask(int *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffull, int(threadIdx.x), 1);  // wrong mask
}

int main(int argc, char **) {
  float *x, *out, host[256], sum = 0, halves[8];
  unsigned long long *bits, seen[4];
  int *integers, back[64];
  (void)hipMalloc(&x, sizeof host);
  (void)hipMalloc(&out, sizeof host);
  (void)hipMalloc(&bits, sizeof seen);
  (void)hipMalloc(&integers, 64 * sizeof(int));
  for (float &value : host) value = 1.0f;
  (void)hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice);
  (void)hipMemset(out, 0, sizeof host);
  float scales[2] = {2.0f, 0.0f};
  (void)hipMemcpyToSymbol(HIP_SYMBOL(scale), scales, sizeof scales);
  hipLaunchKernelGGL(wave_sum, dim3(1), dim3(256), 0, 0, x, out);
  (void)hipMemcpy(&sum, out, sizeof sum, hipMemcpyDeviceToHost);
  expect("wave sum", sum, 512.0f);
  half_waves<<<1, 256>>>(x, out);
  (void)hipMemcpy(halves, out, sizeof halves, hipMemcpyDeviceToHost);
  expect("half waves", halves[7], 32.0f);
  masks<<<1, 64>>>(bits);
  (void)hipMemcpy(seen, bits, sizeof seen, hipMemcpyDeviceToHost);
  expect("ballot", seen[0], 0xaaaaaaaaaaaaaaaaull);
  expect("active lanes", seen[1], 0xffffffffffffull);
  expect("synced ballot", seen[2], 0xffffffffffull);
  expect("match", seen[3], 16ull);
  absent_lane<<<1, 64>>>(integers);
  (void)hipMemcpy(back, integers, sizeof back, hipMemcpyDeviceToHost);
  expect("absent lane", back[5], 0);
  tiles<<<1, 64>>>(integers);
  (void)hipMemcpy(back, integers, sizeof back, hipMemcpyDeviceToHost);
  expect("tiles", back[1], (16 + 31) * 8);
  if (argc > 1) {
    wrong_mask<<<1, 64>>>(integers);
    return hipDeviceSynchronize() == hipErrorLaunchFailure ? 5 : 6;
  }
  return finish();
}
