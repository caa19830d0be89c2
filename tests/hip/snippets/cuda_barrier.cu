// expect: runs, SYN010 7, LIB011 18
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
namespace cg = cooperative_groups;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;
__device__ int turned(barrier_t& bar, int* s, int value) {
  s[threadIdx.x] = value;
  auto token = bar.arrive();
  bar.wait(std::move(token));
  return s[blockDim.x - 1 - threadIdx.x];
}
__global__ void k(int* x, const int* g) {
  __shared__ barrier_t bar, last;
  __shared__ int s[128], t[128];
  if (threadIdx.x == 0) { init(&bar, blockDim.x); init(&last, blockDim.x + 64); }
  __syncthreads();  cuda::memcpy_async(&t[threadIdx.x], &g[threadIdx.x], sizeof(int), bar);
  int value = turned(bar, s, threadIdx.x) * t[threadIdx.x];
  bar.arrive_and_wait();  // so that nobody writes `s` while another reads it
  for (int round = 0; round < 3; ++round) { value = 2 * value + turned(bar, s, value); bar.arrive_and_wait(); }
  auto block = cg::this_thread_block();
  cuda::memcpy_async(block, s, g + 1, cuda::aligned_size_t<4>(4 * blockDim.x), last);
  auto token = threadIdx.x < 64 ? last.arrive(2) : last.arrive();
  last.wait(std::move(token));
  value += 1000 * s[127 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 64) {
    bar.arrive_and_drop();
  } else {
    s[threadIdx.x] = value;
    bar.arrive_and_wait();
    value += s[63 - threadIdx.x];
    bar.arrive_and_wait();  // only the first 64 threads are left
    s[threadIdx.x] = value;
    bar.arrive_and_wait();
    value += s[(threadIdx.x + 1) % 64];
  }
  x[threadIdx.x] = value;
}
int main() {
  int h[129], *x, *g;
  for (int i = 0; i < 129; ++i) h[i] = i * 3 + 1;
  cudaMalloc(&x, 128 * sizeof(int)); cudaMalloc(&g, sizeof h);
  cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(x, g);
  cudaMemcpy(h, x, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d\n", h[i]);
}
