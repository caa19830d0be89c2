// Atomic functions of every type and scope, libcu++'s atomics, barriers and pipelines, asynchronous copies.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <nv/target>

#include "device.cuh"

namespace cg = cooperative_groups;

__device__ void require(bool right, int line, int *wrong) {
  if (!right) atomicCAS(wrong, 0, line);
}
#define REQUIRE(condition) require(condition, __LINE__, wrong)

struct Cells {
  unsigned long long u64[6];
  long long s64[2];
  double d;
  float f, pad;
  float2 f2;
  float4 f4;
  __half2 h2;
  __nv_bfloat162 b2;
  __nv_bfloat16 b;
  unsigned short u16[2];
  unsigned inc, dec;
  int block, system;
};

__global__ void every_type(Cells *c, int *wrong) {
  int i = int(threadIdx.x);
  atomicAnd(&c->u64[0], ~(1ull << i)), atomicOr(&c->u64[1], 1ull << i), atomicXor(&c->u64[2], 1ull << i % 8);
  atomicMin(&c->u64[3], 100ull - i), atomicMax(&c->u64[4], 100ull + i), atomicMin(&c->s64[0], -5ll * i);
  atomicMax(&c->s64[1], -5ll * i);
  atomicExch(&c->u64[5], 9ull), atomicAdd(&c->d, 0.5), atomicAdd(&c->f, 0.25f);
  atomicAdd(&c->f2, make_float2(1.0f, 2.0f)), atomicAdd(&c->f4, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
  atomicAdd(&c->h2, __floats2half2_rn(1.0f, 0.5f)), atomicAdd(&c->b2, __floats2bfloat162_rn(1.0f, 2.0f));
  atomicAdd(&c->b, __float2bfloat16(1.0f));
  unsigned short seen = c->u16[0], before;
  do {
    before = seen;
    seen = atomicCAS(&c->u16[0], before, (unsigned short)(before + 3));
  } while (seen != before);
  atomicInc(&c->inc, 9u), atomicDec(&c->dec, 9u);
  atomicAdd_block(&c->block, 1), atomicAdd_system(&c->system, 2);
  int old = atomicCAS_system(&c->block, -1, 5);
  REQUIRE(old > 0 && old <= 64);
}

__global__ void libcu(cuda::atomic<int, cuda::thread_scope_device> *counter, float *plain, unsigned *flag, int *wrong) {
  int i = int(threadIdx.x);
  counter[0].fetch_add(2, cuda::std::memory_order_relaxed);
  counter[1].fetch_max(i), counter[2].fetch_min(-i), counter[3]++, counter[4].fetch_or(1 << i % 16);
  cuda::atomic_ref<float, cuda::thread_scope_device> sum(*plain);
  sum.fetch_add(0.5f, cuda::memory_order_relaxed);
  int expected = 0;
  if (counter[5].compare_exchange_strong(expected, i + 1)) {
    REQUIRE(expected == 0);
  } else {
    REQUIRE(expected == counter[5].load());
  }
  // The last thread of the grid releases everybody.
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> gate(*flag);
  if (i == int(blockDim.x) - 1 && blockIdx.x == gridDim.x - 1) {
    gate.store(7u, cuda::std::memory_order_release);
    gate.notify_all();
  } else if (i % 2) {
    gate.wait(0u);
  } else {
    while (gate.load(cuda::std::memory_order_acquire) != 7u) {
    }
  }
  REQUIRE(gate == 7u);
  REQUIRE(cuda::std::numeric_limits<int>::max() == 2147483647 && (cuda::std::is_same<int, int>::value));
  cuda::std::array<int, 3> numbers{1, 2, 3};
  auto pair = cuda::std::make_tuple(numbers[1], 2.5f);
  REQUIRE(cuda::std::get<0>(pair) == 2);
  int target = 0;
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (target = 1;), (target = 2;))
  REQUIRE(target == 1);
}

__global__ void barriers(int *wrong) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready, halves;
  __shared__ int data[128];
  int i = int(threadIdx.x);
  auto block = cg::this_thread_block();
  if (i == 0) {
    init(&ready, blockDim.x);
    init(&halves, 64);
  }
  block.sync();
  for (int turn = 0; turn < 3; ++turn) {
    data[i] = turn * 1000 + i;
    auto token = ready.arrive();
    ready.wait(std::move(token));
    REQUIRE(data[(i + 1) % 128] == turn * 1000 + (i + 1) % 128);
    ready.arrive_and_wait();
  }
  if (i < 64) halves.arrive_and_wait();  // half of the block
  if (i >= 64) {
    (void)halves.arrive();
    while (!halves.try_wait_parity(true)) {
    }
  }
  cuda::memcpy_async(block, data, data, cuda::aligned_size_t<16>(sizeof(int)), ready);
  ready.arrive_and_wait();
}

__global__ void pipelines(const int *in, int steps, int *wrong) {
  constexpr int stages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int staged[stages][64];
  auto block = cg::this_thread_block();
  int i = int(threadIdx.x);
  auto pipe = cuda::make_pipeline(block, &state);
  for (int fetched = 0, step = 0; step < steps; ++step) {
    for (; fetched < steps && fetched < step + stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, staged[fetched % stages], in + 64 * fetched, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    REQUIRE(staged[step % stages][(i + 9) % 64] == 64 * step + (i + 9) % 64);
    pipe.consumer_release();
  }
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> halves;
  auto role = i < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto split = cuda::make_pipeline(block, &halves, role);
  for (int step = 0; step < steps; ++step) {
    if (i < 32) {
      split.producer_acquire();
      staged[step % stages][i] = step * 100 + i;
      split.producer_commit();
    } else {
      split.consumer_wait();
      REQUIRE(staged[step % stages][63 - i] == step * 100 + 63 - i);
      split.consumer_release();
    }
  }
}

__global__ void primitives(const float4 *in, int *wrong) {
  __shared__ float4 staged[2][64];
  int i = int(threadIdx.x);
  __pipeline_memcpy_async(&staged[0][i], &in[i], 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&staged[1][i], &in[i], 16, 8);
  __pipeline_commit();
  REQUIRE(staged[0][i].x != in[i].x);  // not there before the wait
  __pipeline_wait_prior(1);
  __syncthreads();
  REQUIRE(staged[0][63 - i].y == in[63 - i].y);
  __pipeline_wait_prior(0);
  __syncthreads();
  REQUIRE(staged[1][63 - i].y == in[63 - i].y && staged[1][i].z == 0.0f);
}

__global__ void others(int *wrong) {
  __shared__ char odd;
  __shared__ alignas(double) char space[64];
  auto *done = reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(space);
  auto *slots = reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_block> *>(space + 32);
  __shared__ int inside, most;
  if (threadIdx.x == 0) {
    new (done) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    new (slots) cuda::counting_semaphore<cuda::thread_scope_block>(3);
    inside = most = 0;
  }
  __syncthreads();
  odd = 1;
  REQUIRE((unsigned long long)space % 8 == 0 && odd == 1);
  slots->acquire();
  int now = atomicAdd(&inside, 1) + 1;
  atomicMax(&most, now);
  __nanosleep(10);
  atomicSub(&inside, 1);
  slots->release();
  done->arrive_and_wait();
  REQUIRE(most <= 3 && inside == 0);
}

__global__ void too_many(int *) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 40);
  __syncthreads();
  (void)bar.arrive(30);  // too many
}

int main(int argc, char **) {
  Buffer<int> wrong(1);
  if (argc > 1) {
    too_many<<<1, 2>>>(wrong.device);
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  Cells *cells, back;
  cudaMalloc(&cells, sizeof(Cells));
  memset(&back, 0, sizeof back);
  back.u64[0] = back.u64[3] = ~0ull;
  back.s64[1] = -1000;
  cudaMemcpy(cells, &back, sizeof back, cudaMemcpyHostToDevice);
  every_type<<<1, 64>>>(cells, wrong.device);
  cudaMemcpy(&back, cells, sizeof back, cudaMemcpyDeviceToHost);
  unsigned long long wanted[] = {0, ~0ull, 0, 37, 163, 9};
  for (int i = 0; i < 6; ++i) expect("64 bits", back.u64[i], wanted[i]);
  expect("signed 64 bits", back.s64[0], -315ll), expect("signed 64 bits", back.s64[1], 0ll);
  expect("double", back.d, 32.0), expect("float", back.f, 16.0f), expect("float2", back.f2.y, 128.0f);
  expect("float4", back.f4.w, 256.0f), expect("half2", __high2float(back.h2), 32.0f);
  expect("bfloat162", __high2float(back.b2), 128.0f), expect("bfloat16", float(back.b), 64.0f);
  expect("16 bits", int(back.u16[0]), 192), expect("beside 16 bits", int(back.u16[1]), 0);
  expect("inc", back.inc, 4u), expect("dec", back.dec, 6u), expect("block", back.block, 64);
  expect("system", back.system, 128);

  Buffer<int> counter(6);
  Buffer<float> plain(1);
  Buffer<unsigned> flag(1);
  libcu<<<4, 64>>>(reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device> *>(counter.device), plain.device,
                   flag.device, wrong.device);
  int counted[] = {512, 63, -63, 256, 0xffff, counter.get()[5]};
  for (int i = 0; i < 6; ++i) expect("cuda::atomic", counter.get()[i], counted[i]);
  expect("atomic_ref", plain.get()[0], 128.0f);
  barriers<<<2, 128>>>(wrong.device);
  std::vector<int> numbers(64 * 7);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = int(i);
  Buffer<int> in(numbers.size());
  in.put(numbers);
  pipelines<<<2, 64>>>(in.device, 7, wrong.device);
  Buffer<float4> quads(64);
  std::vector<float4> host(64);
  for (int i = 0; i < 64; ++i) host[i] = make_float4(float(i), float(i) + 0.5f, 3.0f, 4.0f);
  quads.put(host);
  primitives<<<1, 64>>>(quads.device, wrong.device);
  others<<<1, 64>>>(wrong.device);
  expect("wrong at line", wrong.get()[0], 0);
  return finish();
}
