// Kernels whose warps can be wavefronts. Each prints integers, which no order of summation changes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <cstdio>
#define FULL 0xffffffffu
#define LANES 32
namespace cg = cooperative_groups;

// Two stages over shared slots, sized for the most warps a block can have.
__device__ int sum_of_warp(int v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
  return v;
}
__global__ void block_sum(const int* x, int* y, int n) {
  __shared__ int slots[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = sum_of_warp(v);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? slots[lane] : 0;
  if (warp == 0) v = sum_of_warp(v);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}

// A butterfly, with the width by a macro.
__global__ void block_max(const int* x, int* y) {
  __shared__ int slots[8];
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int mask = LANES / 2; mask > 0; mask >>= 1) v = max(v, __shfl_xor_sync(FULL, v, mask, LANES));
  if (threadIdx.x % LANES == 0) slots[threadIdx.x / LANES] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / LANES; ++w) v = max(v, slots[w]);
    y[blockIdx.x] = v;
  }
}

// An inclusive scan of a block.
__device__ int scan_of_warp(int v) {
  int lane = threadIdx.x % 32;
  for (int o = 1; o < 32; o *= 2) {
    int below = __shfl_up_sync(FULL, v, o);
    if (lane >= o) v += below;
  }
  return v;
}
__global__ void block_scan(const int* x, int* y) {
  __shared__ int totals[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = scan_of_warp(x[i]);
  if (lane == 31) totals[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int t = scan_of_warp(lane < blockDim.x / 32 ? totals[lane] : 0);
    if (lane < blockDim.x / 32) totals[lane] = t;
  }
  __syncthreads();
  y[i] = v + (warp > 0 ? totals[warp - 1] : 0);
}

// A warp for each row: twice as many blocks.
constexpr int kWarp = 32;
__global__ void row_sum(const int* __restrict__ x, int* __restrict__ y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp, lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  int v = 0;
  for (int c = lane; c < columns; c += kWarp) v += x[row * columns + c];
  for (int o = kWarp / 2; o > 0; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
  for (int c = lane; c < columns; c += kWarp) y[row * columns + c] = x[row * columns + c] - v;
}

// Rows in turn: as many wavefronts as there were warps take the same steps.
__global__ void rows_in_turn(const int* x, int* y, int rows, int columns) {
  int warps = gridDim.x * (blockDim.x / 32);
  int lane = threadIdx.x & 31;
  for (int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; row < rows; row += warps) {
    int v = 0;
    for (int c = lane; c < columns; c += 32) v = max(v, x[row * columns + c]);
    for (int o = 16; o > 0; o /= 2) v = max(v, __shfl_down_sync(FULL, v, o));
    if (lane == 0) y[row] = v;
  }
}

// A block of one warp along x: it becomes twice as wide.
__global__ void row_of_threads(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  int v = 0;
  for (int c = threadIdx.x; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (threadIdx.x == 0) y[row] = v;
}

// Places by ballots: 64-bit masks throughout.
__device__ int rank_below(unsigned mask, int lane) { return __popc(mask & ((1u << lane) - 1)); }
__global__ void ranks(const int* x, int* y) {
  __shared__ int counts[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  unsigned odd = __ballot_sync(FULL, x[i] & 1);
  if (lane == 0) counts[warp] = __popc(odd);
  __syncthreads();
  int before = 0;
  for (int w = 0; w < warp; ++w) before += counts[w];
  y[i] = before + rank_below(odd, lane);
}

// Votes whose results are joined for the block.
__global__ void any_negative(const int* x, int* y) {
  int found = __any_sync(FULL, x[blockIdx.x * blockDim.x + threadIdx.x] < -40);
  if (threadIdx.x % 32 == 0) atomicOr(&y[blockIdx.x], found);
}

// Sums that atomics join.
__global__ void total(const int* x, int* y) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(FULL, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(y, v);
}

// A tile of cooperative groups.
__global__ void tile_sum(const int* x, int* y, int rows, int columns) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  int v = 0;
  for (int c = tile.thread_rank(); c < columns; c += tile.size()) v += x[row * columns + c];
  v = cg::reduce(tile, v, cg::plus<int>());
  if (tile.thread_rank() == 0) y[row] = v;
}

// Everything derived from one constant, and slots in dynamic shared memory.
constexpr int kLog = 5;
constexpr int kSize = 1 << kLog;
__global__ void derived(const int* x, int* y) {
  extern __shared__ int parts[];
  int lane = threadIdx.x & (kSize - 1), warp = threadIdx.x >> kLog;
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = kSize / 2; o; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < blockDim.x >> kLog; ++w) v += parts[w];
  y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The width from the language, in a template of the block's size.
template <int BLOCK>
__global__ void builtin_width(const int* x, int* y) {
  __shared__ int slots[BLOCK / 32];
  int v = x[blockIdx.x * BLOCK + threadIdx.x];
  for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o, warpSize);
  if (threadIdx.x % warpSize == 0) slots[threadIdx.x / warpSize] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < BLOCK / 32 ? slots[threadIdx.x] : 0;
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
    if (threadIdx.x == 0) y[blockIdx.x] = v;
  }
}

// The block's size by a parameter of the host's function; four elements a lane.
__global__ void four_a_lane(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int v = 0;
  for (int c = 4 * lane; c < columns; c += 4 * 32) {
    v += x[row * columns + c] + 2 * x[row * columns + c + 1];
    v += 3 * x[row * columns + c + 2] + 4 * x[row * columns + c + 3];
  }
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  if (lane == 0) y[row] = v;
}

// Sums of eight lanes stay what they are, inside a block that counts by warps.
__global__ void groups_of_eight(const int* x, int* y) {
  __shared__ int slots[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int eight = x[i];
  for (int o = 4; o > 0; o /= 2) eight += __shfl_xor_sync(FULL, eight, o, 8);
  int v = eight & 3;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  if (lane == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) v += slots[w];
  y[i] = eight + v;
}

const int kRows = 21, kColumns = 100, kCount = 2560;
static int h[kCount];
static int *x, *y;

static void show(const char* name) {
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < kCount; ++i) sum = sum * 31 + h[i];
  printf("%s %u %d %d\n", name, sum, h[0], h[kRows - 1]);
  cudaMemset(y, 0, sizeof h);
}

static void by_parameter(int threads) {
  const int warps = threads / 32;
  four_a_lane<<<(kRows + warps - 1) / warps, threads>>>(x, y, kRows, kColumns);
}

int main() {
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  for (int i = 0; i < kCount; ++i) h[i] = (i * 37 + i / 7 * 11) % 101 - 50;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof h);
  block_sum<<<5, 256>>>(x, y, kCount); show("block_sum");
  block_max<<<10, 256>>>(x, y); show("block_max");
  block_scan<<<10, 256>>>(x, y); show("block_scan");
  row_sum<<<(kRows * kWarp + 127) / 128, 128>>>(x, y, kRows, kColumns); show("row_sum");
  rows_in_turn<<<2, 128>>>(x, y, kRows, kColumns); show("rows_in_turn");
  dim3 block(32, 4);
  row_of_threads<<<(kRows + 3) / 4, block>>>(x, y, kRows, kColumns); show("row_of_threads");
  ranks<<<10, 256>>>(x, y); show("ranks");
  any_negative<<<10, 256>>>(x, y); show("any_negative");
  total<<<10, 256>>>(x, y); show("total");
  dim3 grid(6);
  tile_sum<<<grid, 128>>>(x, y, kRows, kColumns); show("tile_sum");
  derived<<<10, 256, 256 / 32 * sizeof(int)>>>(x, y); show("derived");
  builtin_width<128><<<20, 128>>>(x, y); show("builtin_width");
  by_parameter(64); show("four_a_lane");
  by_parameter(256); show("four_a_lane");
  groups_of_eight<<<10, 256>>>(x, y); show("groups_of_eight");
  return 0;
}
