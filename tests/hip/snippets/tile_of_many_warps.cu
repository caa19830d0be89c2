// expect: runs
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <stdio.h>
namespace cg = cooperative_groups;
template <class Tile> __device__ int worth(const Tile& tile, int value, int* shared) {
  int sum = cg::reduce(tile, value, cg::plus<int>());
  int most = cg::reduce(tile, value, cg::greater<int>());
  int third = tile.shfl(value, 3);
  int votes = tile.any(value == 17) + 2 * tile.all(value < 1000);
  shared[threadIdx.x] = value;
  tile.sync();
  int neighbour = shared[threadIdx.x ^ (tile.size() - 1)];
  tile.sync();
  return sum + 7 * most + 11 * third + 13 * votes + 17 * neighbour + 19 * tile.thread_rank() + 23 * tile.meta_group_rank() +
         29 * tile.meta_group_size();
}
__global__ void k(int* x) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int shared[256];
  auto block = cg::this_thread_block(memory);
  auto all = cg::tiled_partition<256>(block);
  auto half = cg::tiled_partition<128>(block);
  auto two = cg::tiled_partition<64>(block);
  auto warp = cg::tiled_partition<32>(block);
  int value = (threadIdx.x * 37 + 11) % 101, result = worth(all, value, shared) + 3 * worth(half, value, shared);
  // One tile alone, with the other threads elsewhere.
  if (half.meta_group_rank() == 1) result += 5 * worth(half, value + 1, shared);
  block.sync();
  result += worth(two, value, shared) + worth(warp, value, shared);
  double mean = cg::reduce(half, double(value), cg::plus<double>()) / 128;
  if (threadIdx.x % 2 == 0) x[threadIdx.x / 2] = result + int(mean * 1000);
}
int main() {
  int h[128], *x;
  cudaMalloc(&x, sizeof h);
  k<<<1, 256>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d\n", h[i]);
}
