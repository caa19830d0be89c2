// expect: builds
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
  x[threadIdx.x] = v + tile.thread_rank() + 100000 * tile.meta_group_rank();
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<1, n>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%d ", h[i]);
  return cudaFree(d);
}
