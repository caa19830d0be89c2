// One lane of each group of 32 takes a place with an atomic while the others wait for it in a shuffle; so often
// that its thread steps aside on the way. Each number kept must be written once.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int n = 50021, threads = 256;

__device__ bool is_kept(int i) { return i < n && i * 7 % 5 > 1; }

__global__ void compact(int *out, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned kept = unsigned(__ballot(is_kept(i)) >> (__lane_id() & 32u));
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(kept));
  base = __shfl(base, 0, 32);
  if (is_kept(i)) out[base + __popc(kept & ((1u << lane) - 1u))] = i + 1;
}

int main() {
  int *out, *count, total = 0, wrong = 0;
  hipMalloc(&out, n * sizeof(int));
  hipMalloc(&count, sizeof(int));
  hipMemset(count, 0, sizeof(int));
  compact<<<(n + threads - 1) / threads, threads>>>(out, count);
  std::vector<int> values(n), seen(n + 1);
  hipMemcpy(&total, count, sizeof(int), hipMemcpyDeviceToHost);
  hipMemcpy(values.data(), out, total * sizeof(int), hipMemcpyDeviceToHost);
  for (int i = 0; i < total; ++i) ++seen[values[i] >= 1 && values[i] <= n ? values[i] : 0];
  for (int i = 0; i < n; ++i) wrong += seen[i + 1] != (i * 7 % 5 > 1);
  printf("%d wrong\n", wrong + seen[0]);
  return wrong + seen[0] != 0;
}
