// Warp functions at 32 lanes, cooperative groups, atomics, 16-bit floats.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device.cuh"

namespace cg = cooperative_groups;

__global__ void shuffles(int *out) {
  int lane = threadIdx.x % 32, v = threadIdx.x;
  int down = __shfl_down_sync(0xffffffff, v, 4), up = __shfl_up_sync(0xffffffff, v, 4, 8);
  int crossed = __shfl_xor_sync(0xffffffff, v, 1), third = __shfl_sync(0xffffffff, v, 3, 16);
  int wanted_down = lane + 4 < 32 ? v + 4 : v, wanted_up = lane % 8 >= 4 ? v - 4 : v;
  int wanted_third = v / 16 * 16 + 3;
  if (down != wanted_down || up != wanted_up || crossed != (v ^ 1) || third != wanted_third) atomicAdd(out, 1);
}

__global__ void ballots(unsigned *out) {
  unsigned even = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
  unsigned inside = 0;
  if (threadIdx.x < 8) inside = __activemask();
  int any = __any_sync(0xffffffff, threadIdx.x == 31), all = __all_sync(0xffffffff, threadIdx.x < 31);
  unsigned same = __match_any_sync(0xffffffff, threadIdx.x / 16);
  int total = __reduce_add_sync(0xffffffff, int(threadIdx.x));
  if (threadIdx.x == 0) {
    out[0] = even, out[1] = inside, out[2] = any, out[3] = all, out[4] = same, out[5] = total;
  }
}

__global__ void divergent_loop(int *out) {
  int v = threadIdx.x;
  for (int i = 0; i < int(threadIdx.x % 4); ++i) v += __shfl_xor_sync(__activemask(), v, 0);
  out[threadIdx.x] = v;
}

template <int size>
__global__ void tile_sums(const int *in, int *out) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  int largest = cg::reduce(tile, in[threadIdx.x], cg::greater<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum * 1000 + largest;
}

__global__ void aggregated(int *counter, int *members) {
  if (threadIdx.x % 3) return;
  cg::coalesced_group group = cg::coalesced_threads();
  if (group.thread_rank() == 0) atomicAdd(counter, int(group.size()));
  members[threadIdx.x] = group.shfl(int(group.thread_rank()), 2);
}

__global__ void rotate(int *data, int n) {
  auto grid = cg::this_grid();
  int i = int(grid.thread_rank()), v = data[(i + 100) % n];
  grid.sync();
  data[i] = v;
}

__global__ void atomics(int *integers, float *reals, double *doubles, unsigned long long *longs, __half *halves) {
  atomicAdd(&integers[0], 1), atomicMax(&integers[1], int(threadIdx.x)), atomicMin(&integers[2], -int(threadIdx.x));
  atomicCAS(&integers[3], 0, int(threadIdx.x) + 1), atomicInc((unsigned *)&integers[4], 9u);
  atomicXor(&integers[5], 1 << threadIdx.x % 32), atomicExch(&integers[6], 5), atomicSub(&integers[7], 2);
  atomicAdd(reals, 0.5f), atomicAdd(doubles, 0.25), atomicAdd(longs, 1ull << 40), atomicAdd(halves, __float2half(1.0f));
}

__global__ void small_floats(const float *in, float *out) {
  __half h = __float2half(in[threadIdx.x]);
  __nv_bfloat16 b = __float2bfloat16(in[threadIdx.x]);
  out[2 * threadIdx.x] = __half2float(__hfma(h, h, h));
  out[2 * threadIdx.x + 1] = float(b * b);
}

int main() {
  Buffer<int> integers(256);
  shuffles<<<2, 64>>>(integers.device);
  expect("shuffles", integers.get()[0], 0);
  Buffer<unsigned> masks(6);
  ballots<<<1, 32>>>(masks.device);
  unsigned wanted[] = {0x55555555u, 0xffu, 1u, 0u, 0xffffu, 496u};
  for (int i = 0; i < 6; ++i) expect("ballots", masks.get()[i], wanted[i]);
  divergent_loop<<<1, 32>>>(integers.device);
  expect("divergent loop", integers.get()[7], 56);

  std::vector<int> numbers(256);
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  Buffer<int> sums(32);
  integers.put(numbers);
  tile_sums<8><<<1, 256>>>(integers.device, sums.device);
  expect("tile sums", sums.get()[1], (8 + 15) * 4 * 1000 + 15);
  Buffer<int> counter(1), members(64);
  aggregated<<<1, 64>>>(counter.device, members.device);
  expect("aggregated", counter.get()[0], 22);
  expect("aggregated", members.get()[63], 2);

  int n = 256;
  void *arguments[] = {&integers.device, &n};
  cudaLaunchCooperativeKernel((void *)rotate, dim3(4), dim3(64), arguments, 0, 0);
  expect("grid sync", integers.get()[200], (200 + 100) % 256);

  Buffer<int> ints(8);
  Buffer<float> reals(1);
  Buffer<double> doubles(1);
  Buffer<unsigned long long> longs(1);
  Buffer<__half> halves(1, __float2half(0.0f));
  atomics<<<4, 64>>>(ints.device, reals.device, doubles.device, longs.device, halves.device);
  int wanted_ints[] = {256, 63, -63, ints.get()[3], 6, 0, 5, -512};
  for (int i = 0; i < 8; ++i) expect("atomics", ints.get()[i], wanted_ints[i]);
  expect("atomic float", reals.get()[0], 128.0f);
  expect("atomic double", doubles.get()[0], 64.0);
  expect("atomic 64-bit", longs.get()[0], 256ull << 40);
  expect("atomic half", __half2float(halves.get()[0]), 256.0f);

  Buffer<float> in(2), out(4);
  in.put({0.1f, 300.0f});
  small_floats<<<1, 2>>>(in.device, out.device);
  expect("half fma", out.get()[0], 0.10998535f);
  expect("half overflow", double(out.get()[2]), double(1.0 / 0.0));
  expect("bfloat16", out.get()[1], 0.010009766f);
  return finish();
}
