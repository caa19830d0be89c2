// expect: runs
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x, label = x[i] % 3;
  const cg::coalesced_group same = cg::labeled_partition(tile, label);
  const int sum = cg::reduce(same, i, cg::plus<int>());
  x[i] = label * 10000 + same.size() * 100 + same.thread_rank() + sum * 100000;
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
