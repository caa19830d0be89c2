// Collectives whose groups are parts of a warp, in every order of meeting the block barrier, an end and each other.
#include <cooperative_groups.h>

#include "device.cuh"

namespace cg = cooperative_groups;

__device__ int sum_over(unsigned mask, int first, int count, int value) {
  int lane = threadIdx.x % 32;
  for (int offset = 1; offset < count; offset *= 2) {
    int other = __shfl_sync(mask, value, first + (lane - first + offset) % count);
    value += other;
  }
  return value;
}

// The second half's lanes gather while the first half's wait at the barrier.
__global__ void halves_then_barrier(int *out) {
  __shared__ int half_sums[8];
  int half = threadIdx.x / 16, lane = threadIdx.x % 32;
  int sum = sum_over(lane < 16 ? 0x0000ffffu : 0xffff0000u, lane / 16 * 16, 16, int(threadIdx.x));
  if (threadIdx.x % 16 == 0) half_sums[half] = sum;
  __syncthreads();
  int all = 0;
  for (int h = 0; h < int(blockDim.x) / 16; ++h) all += half_sums[h];
  out[threadIdx.x] = all;
}

// The lanes of one group stand between those of the other.
__global__ void even_and_odd(int *out) {
  int v = int(threadIdx.x);
  unsigned mask = threadIdx.x % 2 ? 0xaaaaaaaau : 0x55555555u;
  for (int i = 0; i < 3; ++i) v += __shfl_xor_sync(mask, v, 2);
  out[threadIdx.x] = v;
}

// Only some lanes take part; the others are at the barrier by then.
__global__ void some_gather(int *out) {
  int v = 1;
  int lane = threadIdx.x % 32;
  if (lane >= 4 && lane < 12) v = sum_over(0xff0u, 4, 8, 1);
  __syncthreads();
  out[threadIdx.x] = v;
}

// Some lanes have ended, in a warp that is not whole either.
__global__ void after_an_end(int *out) {
  int lane = threadIdx.x % 32;
  if (lane % 4 == 1) return;
  unsigned there = __ballot_sync(0xdddddddd, 1);
  __syncthreads();
  out[threadIdx.x] = __popc(there) + __popc(__activemask());
}

// The groups change from one call to the next.
__global__ void growing_tiles(int *out) {
  auto block = cg::this_thread_block();
  int v = 1;
  auto four = cg::tiled_partition<4>(block);
  v += four.shfl_xor(v, 1);
  auto eight = cg::tiled_partition<8>(block);
  v += eight.shfl_xor(v, 4);
  block.sync();
  auto warp = cg::tiled_partition<32>(block);
  for (int offset = 16; offset; offset /= 2) v += warp.shfl_down(v, offset);
  out[threadIdx.x] = warp.shfl(v, 0);
}

// Lanes leave a loop of collectives one by one.
__global__ void fewer_each_turn(int *out) {
  int lane = threadIdx.x % 32, turns = 0;
  unsigned mask = 0xffffffffu;
  while (true) {
    bool more = turns < lane;
    mask = __ballot_sync(mask, more);
    if (!more) break;
    ++turns;
  }
  out[threadIdx.x] = turns;
}

// Nobody calls the same function as the lane beside.
__global__ void two_places(int *out) {
  int v = int(threadIdx.x);
  if (threadIdx.x % 32 < 7) {
    v = __shfl_sync(0x7fu, v, 6);
  } else {
    v = __shfl_sync(0xffffff80u, v, 7);
  }
  out[threadIdx.x] = v;
}

template <class Wanted>
void run(const char *name, void (*kernel)(int *), int threads, Wanted wanted) {
  Buffer<int> out(threads * 2);
  kernel<<<1, threads>>>(out.device);
  for (int t = 0; t < threads; ++t) expect(name, out.get()[t], wanted(t));
}

int main() {
  run("halves, then a barrier", halves_then_barrier, 96, [](int) { return 95 * 96 / 2; });
  run("even and odd", even_and_odd, 64, [](int t) { return 4 * (t + (t ^ 2)); });
  run("some gather", some_gather, 80, [](int t) { return t % 32 >= 4 && t % 32 < 12 && t < 76 ? 8 : 1; });
  run("after an end", after_an_end, 64, [](int t) { return t % 4 == 1 ? 0 : 48; });
  run("growing tiles", growing_tiles, 128, [](int) { return 128; });
  run("fewer each turn", fewer_each_turn, 64, [](int t) { return t % 32; });
  run("two places", two_places, 64, [](int t) { return t / 32 * 32 + (t % 32 < 7 ? 6 : 7); });
  return finish();
}
