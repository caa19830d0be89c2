// Shared memory used with too little synchronisation; the kernel is chosen by a letter.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void two_writers(int *out) {
  __shared__ int s[32];
  s[threadIdx.x / 2] = threadIdx.x;  // two writers
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x / 2];
}
__global__ void bytes(int *out) {
  __shared__ unsigned char s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x ^ 1];  // bytes
}
__global__ void across_tiles(int *out) {
  __shared__ int s[64];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = s[threadIdx.x ^ 16];  // across tiles
}
__global__ void plain_after_atomic(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);  // plain after atomic
  out[threadIdx.x] = total;
}
__global__ void write_after_read(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int right = s[(threadIdx.x + 1) % 64];
  s[threadIdx.x] = right;  // write after read
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void across_warps(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[63 - threadIdx.x];  // across warps
}

int main(int, char **arguments) {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  switch (arguments[1][0]) {
    case 'a': two_writers<<<1, 64>>>(out); break;
    case 'b': bytes<<<1, 64>>>(out); break;
    case 'c': across_tiles<<<1, 64>>>(out); break;
    case 'd': plain_after_atomic<<<1, 64>>>(out); break;
    case 'e': write_after_read<<<1, 64>>>(out); break;
    case 'f': across_warps<<<1, 64>>>(out); break;
  }
  cudaFree(out);
}
