// expect: runs, SYN010 14, LIB011 20
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
namespace cg = cooperative_groups;
constexpr int stages = 3, rounds = 7;
__device__ float used(float sum, const float* s, int round) { return sum * 0.5f + s[(threadIdx.x + round) % 64]; }
__global__ void k(float* x, const float* g) {
  auto block = cg::this_thread_block();
  __shared__ alignas(16) float s[stages][64];
  float sum = 0;
  {  // every thread produces and consumes
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int round = 0, next = 0; round < rounds; ++round) {
      for (; next < rounds && next < round + stages; ++next) {
        pipe.producer_acquire();
        if (threadIdx.x < 16)
          cuda::memcpy_async(&s[next % stages][4 * threadIdx.x], &g[64 * next + 4 * threadIdx.x], cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
      }
      pipe.consumer_wait();
      sum = used(sum, s[round % stages], round);
      pipe.consumer_release();
    }
  }
  block.sync();
  {  // the upper 64 threads produce, the lower 64 consume
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto role = threadIdx.x >= 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    for (int round = 0; round < rounds; ++round) {
      if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[round % stages][threadIdx.x - 64], &g[64 * round + threadIdx.x - 64], sizeof(float), pipe);
        pipe.producer_commit();
      } else {
        pipe.consumer_wait();
        sum = used(sum, s[round % stages], round);
        pipe.consumer_release();
      }
    }
  }
  block.sync();
  cuda::pipeline<cuda::thread_scope_thread> mine = cuda::make_pipeline();
  for (int round = 0; round < 2; ++round) {
    mine.producer_acquire();
    cuda::memcpy_async(block, s[round], g + 64 * round, sizeof(float) * 64, mine);
    mine.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<0>(mine);
  block.sync();
  sum = used(used(sum, s[0], 1), s[1], 2);
  x[threadIdx.x] = sum;
}
int main() {
  float h[64 * rounds], *x, *g;
  for (int i = 0; i < 64 * rounds; ++i) h[i] = i % 37 - 11;
  cudaMalloc(&x, 128 * sizeof(float)); cudaMalloc(&g, sizeof h);
  cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(x, g);
  cudaMemcpy(h, x, 128 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%g\n", h[i]);
}
