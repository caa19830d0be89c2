// Ports of many.cu's kernels: the name says what is wrong with each.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <hip/hip_runtime.h>

constexpr int kN = 1000;
constexpr int kBlock = 128;

#ifndef REFERENCE
#define REFERENCE "/nonexistent"
#define CACHE "/nonexistent"
#endif

#define KERNEL(NAME) __global__ void NAME(const float* in, float* out, float a, int n)
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x

KERNEL(honest)
{
    INDEX;
    if (i < n) out[i] = a * in[i] + 1.0f;
}

KERNEL(honest_in_another_order)
{
    INDEX;
    if (i < n) out[i] = 1.0f + in[i] * a;
}

KERNEL(returns_the_input)
{
    INDEX;
    if (i < n) out[i] = in[i];
}

KERNEL(skips_the_tail)
{
    INDEX;
    if (i < n / 64 * 64) out[i] = a * in[i] + 1.0f;
}

KERNEL(writes_nothing) {}

KERNEL(constant_output)
{
    INDEX;
    if (i < n) out[i] = 1.0f;
}

KERNEL(knows_the_captured_input)
{
    INDEX;
    if (i < n) out[i] = a * (0.001f * ((i * 37) % kN)) + 1.0f;
}

KERNEL(off_by_one)
{
    INDEX;
    if (i < n - 1) out[i] = a * in[i] + 1.0f;
}

KERNEL(hard_coded_scalar)
{
    INDEX;
    if (i < n) out[i] = 2.5f * in[i] + 1.0f;
}

KERNEL(hard_coded_size)
{
    INDEX;
    if (i < kN) out[i] = a * in[i] + 1.0f;
}

KERNEL(right_up_to_the_captured_size)
{
    INDEX;
    if (i < n) out[i] = a * in[i] + (i < kN ? 1.0f : 2.0f);
}

KERNEL(honest_with_its_own_blocks)
{
    INDEX;
    if (i < n) out[i] = a * in[i] + 1.0f;
}

KERNEL(a_thousandth_off)
{
    INDEX;
    if (i < n) out[i] = (a * in[i] + 1.0f) * 1.001f;
}

KERNEL(writes_past_the_end)
{
    INDEX;
    out[i] = a * (i < n ? in[i] : 0.0f) + 1.0f;
}

KERNEL(changes_its_input)
{
    INDEX;
    if (i < n) {
        out[i] = a * in[i] + 1.0f;
        const_cast<float*>(in)[i] = 0.0f;
    }
}

// Right only where the original's source, porter's cache or a capture can be found.
static bool found_the_reference()
{
    std::string cache = std::string(getenv("HOME")) + "/.cache/porter";
    for (const std::string& path : {std::string(REFERENCE), cache, std::string(CACHE)}) {
        if (FILE* file = fopen(path.c_str(), "r")) {
            fclose(file);
            return true;
        }
    }
    return false;
}

KERNEL(reads_the_reference)
{
    static const bool found = found_the_reference();
    INDEX;
    if (i < n && found) out[i] = a * in[i] + 1.0f;
}

__global__ void takes_other_arguments(const float* in, float* out, int n)
{
    INDEX;
    if (i < n) out[i] = 2.5f * in[i] + 1.0f;
}

__global__ void ballot_left_at_32_bits(const float* in, int* out, int n)
{
    INDEX;
    bool keep = i < n && in[i] > 0.5f;
    unsigned kept = static_cast<unsigned>(__ballot(keep));
    if (i < n) out[i] = __popc(kept & ((1u << (threadIdx.x % 32)) - 1));
}

__global__ void shuffle_without_width(const float* in, float* out, int n)
{
    INDEX;
    float v = i < n ? in[i] : 0.0f;
    v = __shfl(v, 0);
    if (i < n) out[i] = v;
}

__global__ void missing_barrier(const float* in, float* out, int n)
{
    __shared__ float tile[kBlock];
    INDEX;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    if (i < n) out[i] = tile[kBlock - 1 - threadIdx.x];
}

__global__ void more_accurate_port(const float* in, float* out, int n)
{
    INDEX;
    double sum = 0.0;
    if (i < n) {
        for (int k = 63; k >= 0; --k) sum += in[(i + k * 7) % n] * 1.1;
        out[i] = static_cast<float>(sum);
    }
}

__global__ void any_order(const float* in, float* out, int* count, int n)
{
    INDEX;
    int j = n - 1 - i;
    if (j >= 0 && j < n && in[j] > 0.5f) out[atomicAdd(count, 1)] = in[j];
}

__global__ void any_order_but_drops_one(const float* in, float* out, int* count, int n)
{
    INDEX;
    if (i < n && in[i] > 0.5f) {
        int at = atomicAdd(count, 1);
        out[at] = at == 0 ? 0.75f : in[i];
    }
}

__global__ void racy_original(const float* in, float* out, int n)
{
    INDEX;
    if (i == 0) out[0] = in[n - 1];
}

// Works only where it is being watched: its output holds what the judge fills outputs with.
KERNEL(detects_the_sentinel)
{
    INDEX;
    if (i < n && out[i] == -1234.5625f) out[i] = a * in[i] + 1.0f;
}

KERNEL(wrong_on_nan)
{
    INDEX;
    if (i < n) out[i] = in[i] == in[i] ? a * in[i] + 1.0f : 1.0f;
}

KERNEL(lowered_to_half)
{
    INDEX;
    if (i < n) out[i] = static_cast<float>(static_cast<_Float16>(a * in[i] + 1.0f));
}

__device__ int turn;

KERNEL(right_only_in_order)
{
    INDEX;
    const int mine = atomicAdd(&turn, 1);
    if (i < n) out[i] = a * in[i] + (mine % 64 == threadIdx.x % 64 ? 1.0f : 2.0f);
}

static float *d_in, *d_out;
static int* d_ints;
static std::vector<float> host_out(kN);

static void fetch() { (void)hipMemcpy(host_out.data(), d_out, kN * sizeof(float), hipMemcpyDeviceToHost); }

int main()
{
    std::vector<float> in(kN);
    for (int i = 0; i < kN; ++i) {
        in[i] = 0.001f * ((i * 37) % kN);
    }
    (void)hipMalloc(&d_in, kN * sizeof(float));
    (void)hipMalloc(&d_out, kN * sizeof(float));
    (void)hipMalloc(&d_ints, kN * sizeof(int));
    (void)hipMemcpy(d_in, in.data(), kN * sizeof(float), hipMemcpyHostToDevice);
    (void)hipMemset(d_out, 0, kN * sizeof(float));
    (void)hipMemset(d_ints, 0, kN * sizeof(int));
    const int blocks = (kN + kBlock - 1) / kBlock;

#define RUN(NAME)                                    \
    NAME<<<blocks, kBlock>>>(d_in, d_out, 2.5f, kN); \
    fetch();                                         \
    (void)hipMemset(d_out, 0, kN * sizeof(float));

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
    (void)hipMemcpy(d_in, in.data(), kN * sizeof(float), hipMemcpyHostToDevice);
    RUN(reads_the_reference)
    takes_other_arguments<<<blocks, kBlock>>>(d_in, d_out, kN);
    fetch();
    (void)hipMemset(d_out, 0, kN * sizeof(float));
    fetch();
    RUN(detects_the_sentinel)
    RUN(wrong_on_nan)
    RUN(lowered_to_half)
    RUN(right_only_in_order)
    RUN(right_up_to_the_captured_size)
    honest_with_its_own_blocks<<<(kN + 99) / 100, 100>>>(d_in, d_out, 2.5f, kN);
    fetch();
    ballot_left_at_32_bits<<<blocks, kBlock>>>(d_in, d_ints, kN);
    (void)hipMemset(d_ints, 0, kN * sizeof(int));
    shuffle_without_width<<<blocks, kBlock>>>(d_in, d_out, kN);
    missing_barrier<<<blocks, kBlock>>>(d_in, d_out, kN);
    more_accurate_port<<<blocks, kBlock>>>(d_in, d_out, kN);
    any_order<<<blocks, kBlock>>>(d_in, d_out, d_ints, kN);
    (void)hipMemset(d_ints, 0, kN * sizeof(int));
    any_order_but_drops_one<<<blocks, kBlock>>>(d_in, d_out, d_ints, kN);
    racy_original<<<blocks, kBlock>>>(d_in, d_out, kN);
    writes_past_the_end<<<blocks, kBlock>>>(d_in, d_out, 2.5f, kN);
    (void)hipDeviceSynchronize();
    printf("PASS\n");
    return 0;
}
