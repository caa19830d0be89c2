// Cooperative groups: tiles of every size, parts of groups, reductions and scans, waiting for others.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device.cuh"

namespace cg = cooperative_groups;

__device__ void require(bool right, int check, int *wrong) {
  if (!right) atomicOr(wrong, 1 << check);
}

template <int size>
__global__ void tiles(int *wrong) {
  __shared__ cg::block_tile_memory<1024> memory;
  auto tile = cg::tiled_partition<size>(cg::this_thread_block(memory));
  int me = int(threadIdx.x), first = me / size * size, last = min(first + size, int(blockDim.x)) - 1;
  int sum = (first + last) * (last - first + 1) / 2;
  require(int(tile.thread_rank()) == me % size && tile.num_threads() == size, 0, wrong);
  require(int(tile.meta_group_rank()) == me / size && tile.meta_group_size() == (blockDim.x + size - 1) / size, 1, wrong);
  require(cg::reduce(tile, me, cg::plus<int>()) == sum, 2, wrong);
  require(cg::reduce(tile, me, cg::greater<int>()) == last && cg::reduce(tile, me, cg::less<int>()) == first, 3, wrong);
  require(cg::inclusive_scan(tile, me) == (first + me) * (me - first + 1) / 2, 4, wrong);
  require(cg::exclusive_scan(tile, me) == (first + me) * (me - first + 1) / 2 - me, 5, wrong);
  require(tile.any(me == last) && !tile.any(me > last) && !tile.all(me != first) && tile.all(me >= first), 6, wrong);
  require(tile.shfl(me, size - 1) == last, 7, wrong);
  require(cg::reduce(tile, 1u << me % 32, cg::bit_or<unsigned>()) == (size >= 32 ? ~0u : ((1u << size) - 1) << first % 32), 8, wrong);
  __shared__ int turn[1024];
  for (int i = 0; i < 3; ++i) {
    tile.sync();
    turn[me] = i * 1000 + me;
    tile.sync();
    require(turn[first + (me + 1) % size] == i * 1000 + first + (me + 1) % size, 9, wrong);
  }
  cg::thread_block block = cg::this_thread_block();
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
}

__global__ void parts(int *wrong) {
  auto block = cg::this_thread_block();
  int me = int(threadIdx.x), lane = me % 32;
  for (unsigned size = 1; size <= 32; size *= 2) {
    cg::thread_group tile = cg::tiled_partition(block, size);
    require(tile.size() == size && tile.thread_rank() == me % size, 0, wrong);
    cg::thread_group half = cg::tiled_partition(tile, size > 1 ? size / 2 : 1);
    require(half.size() == (size > 1 ? size / 2 : 1), 1, wrong);
    half.sync();
  }
  auto warp = cg::tiled_partition<32>(block);
  auto inner = cg::tiled_partition<8>(warp);
  require(inner.meta_group_size() == 4 && inner.meta_group_rank() == lane / 8, 2, wrong);
  require(warp.ballot(lane % 2) == 0xaaaaaaaau && inner.ballot(lane % 2) == 0xaa, 3, wrong);
  cg::coalesced_group label = cg::labeled_partition(warp, lane % 3);
  require(label.size() == (lane % 3 == 2 ? 10 : 11) && label.thread_rank() == lane / 3, 4, wrong);
  require(label.meta_group_size() == 3 && label.meta_group_rank() == lane % 3, 5, wrong);
  require(cg::reduce(label, lane, cg::plus<int>()) == (lane % 3 == 0 ? 165 : lane % 3 == 1 ? 176 : 155), 6, wrong);
  cg::coalesced_group side = cg::binary_partition(warp, lane < 5);
  require(side.size() == (lane < 5 ? 5 : 27), 7, wrong);
  require(cg::inclusive_scan(side, 1) == int(side.thread_rank()) + 1, 8, wrong);
  require(side.shfl_down(lane, 1) == (lane == 4 || lane == 31 ? lane : lane + 1) && side.shfl_up(lane, 1) == (lane == 0 || lane == 5 ? lane : lane - 1), 9, wrong);
  if (lane % 4 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    require(active.num_threads() == 8 && active.thread_rank() == lane / 4, 10, wrong);
    require(active.ballot(lane > 16) == 0xf0 && active.match_any(lane / 8) == 3u << lane / 8 * 2, 11, wrong);
    cg::coalesced_group quarter = cg::tiled_partition(active, 2);
    require(quarter.size() == 2 && quarter.meta_group_size() == 4 && quarter.meta_group_rank() == lane / 8, 12, wrong);
    int all = 1;
    require(active.match_all(lane, all) == 0 && !all, 13, wrong);
    require(active.match_all(7, all) == 0xff && all, 14, wrong);
  }
  int calls = cg::invoke_one_broadcast(warp, [&] { return 41 + int(warp.thread_rank()); });
  require(calls == 41, 15, wrong);
  auto cluster = cg::this_cluster();
  cluster.sync();
  require(cluster.num_blocks() == 1 && *cluster.map_shared_rank(&calls, 0) == 41, 16, wrong);
  require(!cg::this_grid().is_valid(), 17, wrong);
}

__global__ void copies(const int *in, int n, int *wrong) {
  __shared__ int staged[300];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, in, sizeof(int) * n);
  cg::wait(block);
  for (int i = int(threadIdx.x); i < n; i += blockDim.x) require(staged[(i + 77) % n] == (i + 77) % n, 0, wrong);
  block.sync();
  cg::memcpy_async(block, staged, 5, in + 10, 9);
  cg::wait_prior<0>(block);
  require(staged[4] == 14 && staged[5] == 5, 1, wrong);
}

// Static shared memory keeps its contents over a grid barrier, also when blocks take turns.
__global__ void grid_steps(int *sums, int *wrong) {
  __shared__ int mine;
  auto grid = cg::this_grid();
  require(grid.is_valid() && grid.num_threads() == gridDim.x * blockDim.x, 0, wrong);
  if (threadIdx.x == 0) mine = int(blockIdx.x) + 1;
  grid.sync();
  for (int step = 0; step < 3; ++step) {
    if (threadIdx.x == 0) atomicAdd(&sums[step], mine);
    grid.sync();
    require(sums[step] == int(gridDim.x * (gridDim.x + 1) / 2), 1, wrong);
  }
}

// Each block waits for the next one, which may start later.
__global__ void chain(int *flags, int *wrong) {
  int block = int(blockIdx.x), seen = 1;
  if (threadIdx.x == 0 && block + 1 < int(gridDim.x)) {
    while (atomicAdd(&flags[block + 1], 0) == 0) {
    }
    seen = flags[block + 1];
  }
  __syncthreads();
  if (threadIdx.x == 0) flags[block] = seen + 1;
}

// Every thread takes a lock: lanes of one warp wait for each other.
__global__ void locks(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void missing_member(int *out) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (threadIdx.x == 64) {
    tile.sync();  // missing
  } else if (threadIdx.x > 64) {
    __syncthreads();
  }
  *out = 1;
}

__global__ void __cluster_dims__(2, 1, 1) clustered(int *out) { *out = 1; }  // cluster
__global__ void lonely() { cg::this_grid().sync(); }  // not cooperative

void check(const char *what, Buffer<int> &wrong) {
  expect(what, wrong.get()[0], 0);
  wrong.put({0});
}

int main(int argc, char **argv) {
  Buffer<int> wrong(1);
  if (argc > 1) {
    char which = argv[1][0];
    if (which == 'm') missing_member<<<1, 128>>>(wrong.device);
    if (which == 'c') clustered<<<2, 32>>>(wrong.device);
    if (which == 'g') lonely<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  tiles<1><<<1, 96>>>(wrong.device), check("tiles of 1", wrong);
  tiles<4><<<2, 96>>>(wrong.device), check("tiles of 4", wrong);
  tiles<32><<<1, 96>>>(wrong.device), check("tiles of 32", wrong);
  tiles<64><<<3, 256>>>(wrong.device), check("tiles of 64", wrong);
  tiles<512><<<1, 1024>>>(wrong.device), check("tiles of 512", wrong);
  tiles<1024><<<1, 1024>>>(wrong.device), check("tiles of 1024", wrong);
  parts<<<1, 64>>>(wrong.device), check("parts", wrong);
  std::vector<int> numbers(300);
  for (int i = 0; i < 300; ++i) numbers[i] = i;
  Buffer<int> in(300), sums(3), flags(50), lock(1), count(1);
  in.put(numbers);
  copies<<<1, 64>>>(in.device, 300, wrong.device), check("copies", wrong);
  void *arguments[] = {&sums.device, &wrong.device};
  cudaLaunchCooperativeKernel((void *)grid_steps, dim3(7), dim3(96), arguments, 0, 0);
  check("grid steps", wrong);
  chain<<<50, 32>>>(flags.device, wrong.device);
  expect("chain", flags.get()[0], 51);
  locks<<<3, 64>>>(lock.device, count.device);
  expect("locks", count.get()[0], 192);
  return finish();
}
