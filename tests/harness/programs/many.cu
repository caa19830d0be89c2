// One program with many small kernels, each the original of one good, wrong or cheating port in many.hip.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

constexpr int kN = 1000;
constexpr int kBlock = 128;
constexpr unsigned kAll = 0xffffffffu;

#define ELEMENTWISE(NAME)                                             \
    __global__ void NAME(const float* in, float* out, float a, int n) \
    {                                                                 \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                \
        if (i < n) {                                                  \
            out[i] = a * in[i] + 1.0f;                                \
        }                                                             \
    }

ELEMENTWISE(honest)
ELEMENTWISE(honest_in_another_order)
ELEMENTWISE(returns_the_input)
ELEMENTWISE(skips_the_tail)
ELEMENTWISE(writes_nothing)
ELEMENTWISE(constant_output)
ELEMENTWISE(knows_the_captured_input)
ELEMENTWISE(off_by_one)
ELEMENTWISE(hard_coded_scalar)
ELEMENTWISE(hard_coded_size)
ELEMENTWISE(a_thousandth_off)
ELEMENTWISE(writes_past_the_end)
ELEMENTWISE(changes_its_input)
ELEMENTWISE(reads_the_reference)
ELEMENTWISE(takes_other_arguments)
ELEMENTWISE(not_in_the_port)
ELEMENTWISE(detects_the_sentinel)
ELEMENTWISE(wrong_on_nan)
ELEMENTWISE(lowered_to_half)
ELEMENTWISE(right_only_in_order)
ELEMENTWISE(right_up_to_the_captured_size)
ELEMENTWISE(honest_with_its_own_blocks)

__global__ void never_launched(float* out) { out[threadIdx.x] = 1.0f; }

// The rank of every kept element among its warp's 32 lanes.
__global__ void ballot_left_at_32_bits(const float* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0.5f;
    unsigned kept = __ballot_sync(kAll, keep);
    if (i < n) {
        out[i] = __popc(kept & ((1u << (threadIdx.x % 32)) - 1));
    }
}

// Every lane gets the value of its warp's lane 0.
__global__ void shuffle_without_width(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    v = __shfl_sync(kAll, v, 0);
    if (i < n) {
        out[i] = v;
    }
}

__global__ void missing_barrier(const float* in, float* out, int n)
{
    __shared__ float tile[kBlock];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n) {
        out[i] = tile[kBlock - 1 - threadIdx.x];
    }
}

// Sums of 64 neighbours, added one by one.
__global__ void more_accurate_port(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < n) {
        for (int k = 0; k < 64; ++k) {
            sum += in[(i + k * 7) % n] * 1.1f;
        }
        out[i] = sum;
    }
}

// Compaction through an atomic counter: any order is right.
__global__ void any_order(const float* in, float* out, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.5f) {
        out[atomicAdd(count, 1)] = in[i];
    }
}

__global__ void any_order_but_drops_one(const float* in, float* out, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.5f) {
        out[atomicAdd(count, 1)] = in[i];
    }
}

// The original itself is wrong: the last thread to write wins.
__global__ void racy_original(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[0] = in[i];
    }
}

static float *d_in, *d_out;
static int* d_ints;
static std::vector<float> host_out(kN);

static void fetch() { cudaMemcpy(host_out.data(), d_out, kN * sizeof(float), cudaMemcpyDeviceToHost); }

int main()
{
    std::vector<float> in(kN);
    for (int i = 0; i < kN; ++i) {
        in[i] = 0.001f * ((i * 37) % kN);
    }
    cudaMalloc(&d_in, kN * sizeof(float));
    cudaMalloc(&d_out, kN * sizeof(float));
    cudaMalloc(&d_ints, kN * sizeof(int));
    cudaMemcpy(d_in, in.data(), kN * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, kN * sizeof(float));
    cudaMemset(d_ints, 0, kN * sizeof(int));
    const int blocks = (kN + kBlock - 1) / kBlock;

#define RUN(NAME)                                      \
    NAME<<<blocks, kBlock>>>(d_in, d_out, 2.5f, kN);   \
    fetch();                                           \
    cudaMemset(d_out, 0, kN * sizeof(float));

    RUN(honest)
    RUN(honest_in_another_order)
    RUN(returns_the_input)
    RUN(skips_the_tail)
    RUN(writes_nothing)
    RUN(constant_output)
    RUN(knows_the_captured_input)
    RUN(off_by_one)
    RUN(hard_coded_scalar)
    RUN(hard_coded_size)
    RUN(a_thousandth_off)
    RUN(changes_its_input)
    RUN(reads_the_reference)
    RUN(takes_other_arguments)
    RUN(not_in_the_port)
    RUN(detects_the_sentinel)
    RUN(wrong_on_nan)
    RUN(lowered_to_half)
    RUN(right_only_in_order)
    RUN(right_up_to_the_captured_size)
    RUN(honest_with_its_own_blocks)
    ballot_left_at_32_bits<<<blocks, kBlock>>>(d_in, d_ints, kN);
    cudaMemset(d_ints, 0, kN * sizeof(int));
    shuffle_without_width<<<blocks, kBlock>>>(d_in, d_out, kN);
    missing_barrier<<<blocks, kBlock>>>(d_in, d_out, kN);
    more_accurate_port<<<blocks, kBlock>>>(d_in, d_out, kN);
    any_order<<<blocks, kBlock>>>(d_in, d_out, d_ints, kN);
    cudaMemset(d_ints, 0, kN * sizeof(int));
    any_order_but_drops_one<<<blocks, kBlock>>>(d_in, d_out, d_ints, kN);
    racy_original<<<blocks, kBlock>>>(d_in, d_out, kN);
    writes_past_the_end<<<blocks, kBlock>>>(d_in, d_out, 2.5f, kN);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_ints);
    printf("%s\n", status == cudaSuccess ? "PASS" : "FAIL");
    return status == cudaSuccess ? 0 : 1;
}
