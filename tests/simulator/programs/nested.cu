// Launches from device code, and the declarations of shared memory that stand outside of functions or define a type.
#include "checks.h"

__shared__ int tile[32];
__shared__ int total;
#define UNROLL #pragma unroll 4

__global__ void leaf(int *a, int base, int n) {
  UNROLL
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&a[base + i], 1);
}

// Halves the range until it is small; a parent's own shared memory is as it was when its children have run.
__global__ void tree(int *a, int base, int n, int depth, int *bad) {
  __shared__ union {
    int count;
    float weight;
  } range;
  if (threadIdx.x == 0) {
    range.count = n;
    tile[3] = depth;
    total = base;
    if (depth == 0) {
      leaf<<<1, 32>>>(a, base, n);
    } else {
      tree<<<1, 32>>>(a, base, n / 2, depth - 1, bad);
      tree<<<1, 32>>>(a, base + n / 2, n - n / 2, depth - 1, bad);
    }
  }
  __syncthreads();
  if (range.count != n || tile[3] != depth || total != base) atomicAdd(bad, 1);
}

__global__ void times_ten(int *a) { a[0] *= 10; }
__global__ void with_tail(int *a) {
  times_ten<<<1, 1, 0, cudaStreamTailLaunch>>>(a);
  a[0] = 7;
}
__global__ void endless(int *deepest, int level) {
  *deepest = level;
  endless<<<1, 1>>>(deepest, level + 1);
}
__global__ void bad_child(int *a) {
  *a = 1;  // the child's fault
}
__global__ void parent_of_bad(int *after) {
  bad_child<<<1, 1>>>(nullptr);
  *after = 1;
}

// One lane launches while the others have yet to write: the child, and a copy, come after the whole block's stores.
__global__ void add_one(int *a) { a[threadIdx.x] += 1; }
__global__ void launch_before_stores(int *a, int *copy) {
  if (threadIdx.x == 0) {
    add_one<<<1, 32>>>(a);
    cudaMemcpyAsync(copy, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  }
  a[threadIdx.x] = 10 * threadIdx.x;
}

int main(int argc, char **) {
  constexpr int n = 1000;
  int *data, host[n];
  cudaMalloc(&data, (n + 1) * sizeof(int));
  cudaMemset(data, 0, (n + 1) * sizeof(int));
  if (argc > 1) {
    parent_of_bad<<<1, 1>>>(data);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 5 : 0;
  }
  tree<<<2, 32>>>(data, 0, n, 4, data + n);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) expect("each leaf once a block", host[i], 2);
  cudaMemcpy(host, data + n, sizeof(int), cudaMemcpyDeviceToHost);
  expect("shared memory of parents", host[0], 0);
  with_tail<<<1, 1>>>(data);
  cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost);
  expect("the tail runs last", host[0], 70);
  if (argc == 1 && !getenv("PORTER_SIM_SCHEDULE")) {
    launch_before_stores<<<1, 32>>>(data, data + 32);
    cudaMemcpy(host, data, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) expect("issued work runs after the block", host[i], 10 * (i % 32) + 1);
  }
  endless<<<1, 1>>>(data, 0);
  cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost);
  expect("levels", host[0], 24);
  return finish();
}
