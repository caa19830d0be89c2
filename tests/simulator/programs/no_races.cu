// Shared memory used as it should be: nothing here is to be reported.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void same_value(int *out) {
  __shared__ bool found;
  __shared__ unsigned char bytes[64];
  if (threadIdx.x == 0) found = false;
  __syncthreads();
  if (threadIdx.x % 3 == 0) found = true;
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = found + bytes[63 - threadIdx.x];
}
__global__ void inside_warps(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  int left = s[threadIdx.x ^ 31];
  __syncwarp();
  s[threadIdx.x] = left;
  int sum = __shfl_xor_sync(0xffffffff, left, 1);
  out[threadIdx.x] = sum + s[threadIdx.x ^ 1];
}
__global__ void inside_tiles(int *out) {
  __shared__ int s[64];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  for (int round = 0; round < 3; ++round) {
    s[threadIdx.x] = threadIdx.x + round;
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 7];
    tile.sync();
  }
  __syncthreads();
  out[threadIdx.x] += s[63 - threadIdx.x];
}
// Lanes 0 to 15 tell lanes 8 to 23, which tell lanes 16 to 31.
__global__ void along_a_chain(int *out) {
  __shared__ int s;
  unsigned lane = threadIdx.x;
  if (lane == 0) s = 5;
  if (lane < 16) __syncwarp(0x0000ffff);
  if (lane >= 8 && lane < 24) __syncwarp(0x00ffff00);
  if (lane >= 16) __syncwarp(0xffff0000);
  if (lane == 31) out[0] = s;
}
__global__ void atomics(int *out) {
  __shared__ int total, histogram[4];
  if (threadIdx.x < 4) histogram[threadIdx.x] = 0;
  if (threadIdx.x == 5) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);
  atomicMax(&histogram[threadIdx.x % 4], int(threadIdx.x));
  if (__syncthreads_count(threadIdx.x > 3) > 2) out[threadIdx.x] = total + histogram[threadIdx.x % 4];
}
__global__ void tree(const float4 *in, int *out) {
  extern __shared__ float4 part[];
  part[threadIdx.x] = in[threadIdx.x];
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x].x += part[threadIdx.x + half].x;
  }
  if (threadIdx.x >= 32) return;
  memcpy(&part[threadIdx.x + 32], &part[threadIdx.x], sizeof(float4));
  __syncwarp();
  if (threadIdx.x == 0) out[0] = int(part[63].y + part[0].x);
}

__global__ void in_the_hosts_memory(int *registered, int *mapped) { registered[threadIdx.x] = mapped[threadIdx.x]; }

int main() {
  int *own = new int[64];
  int *out, *mapped;
  float4 *in;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&in, 64 * sizeof(float4));
  cudaMemset(in, 0, 64 * sizeof(float4));
  for (int again = 0; again < 2; ++again) {
    same_value<<<3, 64>>>(out);
    inside_warps<<<3, 64>>>(out);
    inside_tiles<<<3, 64>>>(out);
    along_a_chain<<<3, 32>>>(out);
    atomics<<<3, 64>>>(out);
    tree<<<3, 64, 64 * sizeof(float4)>>>(in, out);
  }
  cudaHostRegister(own, 64 * sizeof(int), cudaHostRegisterMapped);
  cudaHostAlloc(&mapped, 64 * sizeof(int), 0);
  for (int i = 0; i < 64; ++i) mapped[i] = i;
  in_the_hosts_memory<<<1, 64>>>(own, mapped);
  cudaHostUnregister(own);
  delete[] own;
  cudaFreeHost(mapped);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(status));
  cudaFree(out);
  cudaFree(in);
}
