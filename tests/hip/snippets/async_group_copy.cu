// expect: runs, LIB011 11
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <stdio.h>
namespace cg = cooperative_groups;
__global__ void k(const int* g, int* x) {
  __shared__ alignas(16) int s[128], t[128], u[128];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, s, g, cuda::aligned_size_t<16>(sizeof s));
  cg::memcpy_async(block, t, g + 1, sizeof t);
  cg::wait_prior<1>(block);
  int first = s[127 - threadIdx.x];
  cg::wait(block);
  int offset = threadIdx.x / 32 * 32;
  cg::memcpy_async(tile, u + offset, 32, g + offset, 40);
  cg::wait(tile);
  x[threadIdx.x] = first * 10000 + t[127 - threadIdx.x] * 100 + u[threadIdx.x ^ 31];
}
int main() {
  int h[129], *x, *g;
  for (int i = 0; i < 129; ++i) h[i] = i * 7 % 61;
  cudaMalloc(&x, sizeof h); cudaMalloc(&g, sizeof h);
  cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(g, x);
  cudaMemcpy(h, x, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d\n", h[i]);
}
