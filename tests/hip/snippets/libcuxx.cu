// expect: runs
#include <cuda_runtime.h>
#include <cuda/atomic>
#include <stdio.h>
struct Sums {
  cuda::atomic<int, cuda::thread_scope_device> ints;
  cuda::atomic<float, cuda::thread_scope_device> floats;
  cuda::atomic<unsigned long long> words;
};
__global__ void k(Sums* sums, int* cells, int* x) {
  sums->ints.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
  sums->floats.fetch_add(0.5f);
  sums->words |= 1ull << threadIdx.x % 64;
  cuda::atomic_ref<int, cuda::thread_scope_block> cell(cells[threadIdx.x % 8]);
  int seen = cell.load(cuda::std::memory_order_acquire);
  while (!cell.compare_exchange_weak(seen, seen * 2 + 1, cuda::std::memory_order_acq_rel)) {
  }
  cuda::atomic_ref<int> limit(cells[8 + threadIdx.x % 8]);
  limit.fetch_max(int(threadIdx.x));
  ++cuda::atomic_ref<int>(cells[16]);
  cuda::atomic_ref<float>(*reinterpret_cast<float*>(&cells[17])).fetch_min(-float(threadIdx.x));
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  __syncthreads();
  if (threadIdx.x < 18) x[threadIdx.x] = cells[threadIdx.x];
  if (threadIdx.x == 18) x[18] = sums->ints.exchange(7) + sums->ints;
  if (threadIdx.x == 19) x[19] = int(sums->floats.load());
  if (threadIdx.x == 20) x[20] = int(sums->words) + int(sums->words >> 32);
  if (threadIdx.x > 20) x[threadIdx.x] = 0;
}
int main() {
  int h[128], *x, *cells;
  Sums* sums;
  cudaMalloc(&x, sizeof h); cudaMalloc(&cells, sizeof h); cudaMalloc(&sums, sizeof *sums);
  cudaMemset(cells, 0, sizeof h); cudaMemset(sums, 0, sizeof *sums);
  k<<<1, 128>>>(sums, cells, x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d\n", h[i]);
}
