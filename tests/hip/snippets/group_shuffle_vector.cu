// expect: runs
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Pair { int first; double second; };
__global__ void k(int* x) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x;
  uint4 v = make_uint4(x[i], i, x[i] * 2, 7);
  v = tile.shfl_xor(v, 5);
  Pair p{x[i] + 1, i * 0.5};
  p = tile.shfl(p, 31);
  const Pair up = tile.shfl_up(p, 1), down = tile.shfl_down(p, 3);
  const int plain = tile.shfl_down(i, 2);
  x[i] = int(v.x + v.y + v.z + v.w) + p.first + int(p.second * 8) + up.first + int(down.second) + plain;
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
