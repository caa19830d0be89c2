// Kernels that keep their groups of 32 lanes. `// kept:` says why, on the line that porter names.
#include <cuda_runtime.h>
#define FULL 0xffffffffu

__device__ int sum_of_warp(int v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  return v;
}
__global__ void one_result_a_warp(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = sum_of_warp(x[i]);
  if (threadIdx.x % 32 == 0) y[i / 32] = v;  // kept: depends on the number of lanes
}
__global__ void lane_stored(int* y) {
  int lane = threadIdx.x & 31;
  int first = __shfl_sync(FULL, lane, 0);
  y[blockIdx.x * blockDim.x + threadIdx.x] = lane + first;  // kept: depends on the number of lanes
}
__global__ void ballot_stored(const int* x, unsigned* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned word = __ballot_sync(FULL, x[i] > 0);
  if (threadIdx.x % 32 == 0) y[i / 32] = word;  // kept: fewer bits than a wavefront has lanes
}
__global__ void votes_of_a_mask(const int* x, int* y, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __any_sync(mask, x[i] > 0);  // kept: lanes that a mask names
}
__global__ void normalised_by_warp(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  y[i] = x[i] / v;  // kept: depends on the number of lanes
}
__global__ void last_lane_for_all(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_sync(FULL, x[i], 31);  // kept: depends on the number of lanes
}
__global__ void unknown_block(const int* x, int* y) {
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}
__global__ void a_wavefront_and_a_half(const int* x, int* y) {  // kept: no whole wavefronts
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}
__global__ void steps_by_a_literal(const int* x, int* y, int rows, int columns) {
  for (int row = blockIdx.x * 4 + threadIdx.x / 32; row < rows; row += gridDim.x * 4) {
    int v = 0;
    for (int c = threadIdx.x % 32; c < columns; c += 32) v += x[row * columns + c];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
    if (threadIdx.x % 32 == 0) y[row] = v;  // kept: depends on the number of lanes
  }
}
__global__ void one_more_a_lane(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int v = 1;
  for (int c = lane; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (lane == 0) y[row] = v;  // kept: depends on the number of lanes
}
__global__ void first_of_equals(const float* x, int* y, int columns) {
  float best = -1e30f;
  int where = 0, lane = threadIdx.x % 32;
  for (int c = lane; c < columns; c += 32) {
    if (x[c] > best) { best = x[c]; where = c; }
  }
  for (int o = 16; o > 0; o /= 2) {
    float other = __shfl_down_sync(FULL, best, o);
    int there = __shfl_down_sync(FULL, where, o);
    if (other > best) { best = other; where = there; }
  }
  if (threadIdx.x == 0) y[blockIdx.x] = where;  // kept: depends on the number of lanes
}
__global__ void place_for_a_warp(const int* x, int* y, unsigned* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned kept = __ballot_sync(FULL, x[i] > 0);
  unsigned base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(kept));  // kept: how often it runs
  base = __shfl_sync(FULL, base, 0);
  if (kept >> lane & 1) y[base + __popc(kept & ((1u << lane) - 1))] = i;
}
__global__ void takes_from_its_last(int* y, int columns) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  for (int c = 32 + lane; c < columns; c += 32) y[row * columns + c] += y[row * columns + c - 32];  // kept: this loop does
  int v = __shfl_sync(FULL, lane, 0);
  if (v) y[0] = v;
}
__global__ void same_place_again(const int* x, int* y, int columns) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  for (int c = lane; c < columns; c += 32) y[row * 32 + c % 32] = x[row * columns + c];  // kept: this loop does
  if (__any_sync(FULL, lane < 0)) y[0] = 1;
}
__global__ void branch_of_a_compiler(const int* x, int* y) {
  int v = x[threadIdx.x];
#ifdef FAST  // kept: preprocessor condition
  v += 1;
#endif
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}
__device__ int lane_of_mine() { return threadIdx.x % 32; }  // kept: no shuffle, vote
__global__ void only_lanes(int* y) { y[threadIdx.x] = lane_of_mine(); }
__global__ void shares_its_lane(const int* x, int* y) {  // kept: shares `lane_of_mine`
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (lane_of_mine() == 0) atomicAdd(y, v);
}
__global__ void address_taken(const int* x, int* y) {  // kept: not every launch
  int v = x[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}
__global__ void in_place(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int v = 0;
  for (int c = lane; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = x[row * columns + c] - v;
}
__global__ void equal_keys(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __match_any_sync(FULL, x[i]);  // kept: __match_any_sync
}
__global__ void all_slots_read(const int* x, int* y) {
  __shared__ int slots[32];
  int v = x[threadIdx.x], lane = threadIdx.x % 32;
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
  if (lane == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = slots[lane];  // kept: an index outside `slots`
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);
    if (lane == 0) y[blockIdx.x] = v;
  }
}
__global__ void ends_at_the_warp(const int* x, int* y) {
  int key = x[threadIdx.x], lane = threadIdx.x & 31;
  int next = __shfl_down_sync(FULL, key, 1);
  if (lane == 31 || next != key) atomicAdd(&y[key], 1);  // kept: how often it runs
}
__global__ void without_a_barrier(const int* x, int* y) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  if (t < 16) s[t] += s[t + 16];  // kept: no barrier between
  int v = __shfl_sync(FULL, s[t], 0);
  if (t == 0) y[0] = v;
}
__global__ void a_running_maximum(const float* x, float* y, int columns) {
  float top = -1e30f, sum = 0;
  int lane = threadIdx.x % 32;
  for (int c = lane; c < columns; c += 32) {
    float old = top;
    top = fmaxf(top, x[c]);
    sum = sum * expf(old - top) + expf(x[c] - top);
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(FULL, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;  // kept: depends on the number of lanes
}
__global__ void loaded_again(const float* x, float* y, float* z, int columns) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = x[row * columns + c];
  float v = __shfl_sync(FULL, y[row * columns + lane / 2], 0);  // kept: may have stored before
  if (lane == 0) z[row] = v;
}
__global__ void mask_in_a_word(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned m = __ballot_sync(FULL, x[i] > 0);
  y[i] = __ffs(m);  // kept: depends on the number of lanes
}
__global__ void sum_of_maxima(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) v = max(v, x[row * columns + c]);
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  if (lane == 0) y[row] = v;  // kept: depends on the number of lanes
}
__global__ void sum_of_bits(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) v |= x[row * columns + c];
  int s = v;
  for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(FULL, s, o);
  if (lane == 0) y[row] = s;  // kept: depends on the number of lanes
}
__global__ void bits_of_sums(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v ^= __shfl_xor_sync(FULL, v, o);
  if (lane == 0) y[row] = v;  // kept: depends on the number of lanes
}
__global__ void wraps_around(const int* x, unsigned long long* y) {
  unsigned v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(y, (unsigned long long)v);  // kept: what this atomic adds
}
__global__ void highest_as_unsigned(const int* x, unsigned* y) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v = max(v, __shfl_xor_sync(FULL, v, o));
  if (threadIdx.x % 32 == 0) atomicMax(y, (unsigned)v);  // kept: what this atomic adds
}
__global__ void by_another_name(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  for (int c = 32 + lane; c < columns; c += 32) y[row * columns + c] = x[row * columns + c - 32] + v;
}
__global__ void stored_twice(const int* x, int* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, v = 0;
  if (row >= rows) return;
  for (int c = lane; c < columns; c += 32) v += x[row * columns + c];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(FULL, v, o);
  for (int c = lane; c < columns; c += 32) y[row * columns + c] = v;  // kept: this loop does
  for (int c = lane; c < columns - 32; c += 32) y[row * columns + c + 32] = v + 1;
}
struct Launcher {
  void (*kernel)(const int*, int*);
};

static void by_hand(int threads, const int* x, int* y) {
  unknown_block<<<1, threads>>>(x, y);  // kept: is no constant
}

int main(int count, char**) {
  int *x, *y, *n;
  float *e, *f, *g;
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 4096);
  cudaMalloc(&n, 4096);
  cudaMalloc(&e, 4096);
  cudaMalloc(&f, 4096);
  cudaMalloc(&g, 4096);
  one_result_a_warp<<<2, 128>>>(x, y);
  lane_stored<<<2, 128>>>(y);
  ballot_stored<<<2, 128>>>(x, (unsigned*)y);
  votes_of_a_mask<<<2, 128>>>(x, y, 15);
  normalised_by_warp<<<2, 128>>>(f, g);
  last_lane_for_all<<<2, 128>>>(x, y);
  by_hand(count * 64, x, y);
  a_wavefront_and_a_half<<<1, 96>>>(x, y);
  steps_by_a_literal<<<2, 128>>>(x, y, 9, 40);
  one_more_a_lane<<<2, 128>>>(x, y, 8, 40);
  first_of_equals<<<1, 64>>>(f, y, 40);
  place_for_a_warp<<<2, 128>>>(x, y, (unsigned*)n);
  takes_from_its_last<<<1, 64>>>(y, 100);
  same_place_again<<<1, 64>>>(x, y, 100);
  branch_of_a_compiler<<<1, 64>>>(x, y);
  only_lanes<<<1, 64>>>(y);
  shares_its_lane<<<1, 64>>>(x, y);
  Launcher launcher = {address_taken};
  (void)launcher;
  address_taken<<<1, 64>>>(x, y);
  in_place<<<2, 128>>>(y, y, 8, 40);  // kept: given for two
  const int* again = y;
  by_another_name<<<2, 128>>>(again, y, 8, 40);  // kept: may be one buffer
  stored_twice<<<2, 128>>>(x, y, 8, 40);
  sum_of_maxima<<<2, 128>>>(x, y, 8, 40);
  sum_of_bits<<<2, 128>>>(x, y, 8, 40);
  bits_of_sums<<<2, 128>>>(x, y, 8, 40);
  wraps_around<<<2, 128>>>(x, (unsigned long long*)n);
  highest_as_unsigned<<<2, 128>>>(x, (unsigned*)n);
  equal_keys<<<1, 64>>>(x, y);
  all_slots_read<<<1, 1024>>>(x, y);
  ends_at_the_warp<<<1, 64>>>(x, y);
  without_a_barrier<<<1, 64>>>(x, y);
  a_running_maximum<<<1, 64>>>(f, g, 40);
  loaded_again<<<1, 64>>>(f, g, e, 40);
  mask_in_a_word<<<1, 64>>>(x, y);
  return 0;
}
