// No fix: conversion to 8-bit floats in inline PTX (PTX001). Packs scaled numbers as e4m3, four a word.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

__device__ inline uint16_t to_e4m3x2(float low, float high)
{
    uint16_t both;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;" : "=h"(both) : "f"(low), "f"(high));
    return both;
}

__global__ void pack_fp8(const float* x, uint32_t* packed, float scale, int words)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    const float* v = x + 4 * i;
    const uint32_t low = to_e4m3x2(v[0] * scale, v[1] * scale), high = to_e4m3x2(v[2] * scale, v[3] * scale);
    packed[i] = low | high << 16;
}

static float value_of(unsigned byte)
{
    const int exponent = byte >> 3 & 15, mantissa = byte & 7;
    const float v = exponent ? std::ldexp(1.0f + mantissa / 8.0f, exponent - 7) : std::ldexp(float(mantissa), -9);
    return byte & 128 ? -v : v;
}

int main()
{
    const int words = 150;
    std::vector<float> x(4 * words);
    std::vector<uint32_t> packed(words);
    for (int i = 0; i < 4 * words; ++i) x[i] = float(i * 89 % 401 - 200) * (i % 3 ? 0.37f : 1.9f);
    float* d_x;
    uint32_t* d_packed;
    cudaMalloc(&d_x, x.size() * sizeof(float));
    cudaMalloc(&d_packed, words * sizeof(uint32_t));
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    pack_fp8<<<2, 96>>>(d_x, d_packed, 1.5f, words);
    cudaMemcpy(packed.data(), d_packed, words * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 4 * words; ++i) {
        const float v = std::fmax(-448.0f, std::fmin(448.0f, x[i] * 1.5f));
        wrong += std::fabs(value_of(packed[i / 4] >> 8 * (i % 4) & 255) - v) > std::fabs(v) / 16 + 0.001f;
    }
    cudaFree(d_x), cudaFree(d_packed);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
