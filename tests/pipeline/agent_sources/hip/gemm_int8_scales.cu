// No fix: mma.sync on 8-bit integers (PTX). The product of two quantized matrices, with a scale for each row of A and
// each column of B, zero points, and the result quantized again with saturation.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kWarps = 4;

__device__ __forceinline__ void multiply(int (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ int8_t quantized(float value)
{
    int result;
    asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(result) : "f"(value));
    return static_cast<int8_t>(result);
}

__device__ __forceinline__ uint32_t four(const int8_t* from) { return *reinterpret_cast<const uint32_t*>(from); }

// A of m x k by rows, B of n x k (by columns of the product); m a multiple of 16, n of 8 * kWarps, k of 32. The sums of
// B's columns take A's zero point out of the product.
__global__ void gemm_int8_scales(const int8_t* a, const int8_t* b, const float* row_scales,
                                 const float* column_scales, const int* zero_points, int8_t* c, float* largest, int n,
                                 int k, float out_scale)
{
    __shared__ float most[kWarps][16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int group = lane / 4, within = lane % 4;
    const int row0 = blockIdx.y * 16, column0 = (blockIdx.x * kWarps + warp) * 8;
    int sums[4] = {0, 0, 0, 0}, column_sums[2] = {0, 0};
    for (int k0 = 0; k0 < k; k0 += 32) {
        const int8_t* a_row = a + (row0 + group) * k + k0 + 4 * within;
        const int8_t* b_row = b + (column0 + group) * k + k0 + 4 * within;
        const uint32_t left[4] = {four(a_row), four(a_row + 8 * k), four(a_row + 16), four(a_row + 8 * k + 16)};
        const uint32_t right[2] = {four(b_row), four(b_row + 16)};
        multiply(sums, left, right);
        for (int e = 0; e < 2; ++e) {
            const int8_t* column = b + (column0 + 2 * within + e) * k + k0;
            for (int p = 0; p < 32; ++p) column_sums[e] += column[p];
        }
    }
    float own[2] = {0.0f, 0.0f};
    for (int e = 0; e < 4; ++e) {
        const int row = row0 + group + e / 2 * 8, column = column0 + 2 * within + e % 2;
        const int corrected = sums[e] - zero_points[row] * column_sums[e % 2];
        const float value = static_cast<float>(corrected) * row_scales[row] * column_scales[column];
        own[e / 2] = fmaxf(own[e / 2], fabsf(value));
        c[row * n + column] = quantized(value * out_scale);
    }
    for (int side = 0; side < 2; ++side) {
        for (int step = 1; step < 4; step *= 2)
            own[side] = fmaxf(own[side], __shfl_xor_sync(0xffffffffu, own[side], step));
        if (within == 0) most[warp][group + 8 * side] = own[side];
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        float of_row = 0.0f;
        for (int w = 0; w < kWarps; ++w) of_row = fmaxf(of_row, most[w][threadIdx.x]);
        largest[blockIdx.x * gridDim.y * 16 + row0 + threadIdx.x] = of_row;
    }
}

int main()
{
    const int m = 32, n = 64, k = 96;
    std::vector<int8_t> a(m * k), b(n * k), c(m * n);
    std::vector<float> row_scales(m), column_scales(n), largest(m * (n / (8 * kWarps)));
    std::vector<int> zero_points(m);
    for (int i = 0; i < m * k; ++i) a[i] = int8_t(i * 37 % 251 - 125);
    for (int i = 0; i < n * k; ++i) b[i] = int8_t(i * 23 % 241 - 120);
    for (int i = 0; i < m; ++i) row_scales[i] = 0.01f + 0.001f * float(i % 4), zero_points[i] = i % 9 - 4;
    for (int i = 0; i < n; ++i) column_scales[i] = 0.02f + 0.002f * float(i % 3);
    int8_t *d_a, *d_b, *d_c;
    float *d_rows, *d_columns, *d_largest;
    int* d_zero;
    cudaMalloc(&d_a, a.size());
    cudaMalloc(&d_b, b.size());
    cudaMalloc(&d_c, c.size());
    cudaMalloc(&d_rows, m * sizeof(float));
    cudaMalloc(&d_columns, n * sizeof(float));
    cudaMalloc(&d_largest, largest.size() * sizeof(float));
    cudaMalloc(&d_zero, m * sizeof(int));
    cudaMemcpy(d_a, a.data(), a.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_rows, row_scales.data(), m * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_columns, column_scales.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_zero, zero_points.data(), m * sizeof(int), cudaMemcpyHostToDevice);
    const float out_scale = 0.5f;
    gemm_int8_scales<<<dim3(n / (8 * kWarps), m / 16), kWarps * 32>>>(d_a, d_b, d_rows, d_columns, d_zero, d_c,
                                                                     d_largest, n, k, out_scale);
    cudaMemcpy(c.data(), d_c, c.size(), cudaMemcpyDeviceToHost);
    cudaMemcpy(largest.data(), d_largest, largest.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            int sum = 0;
            for (int p = 0; p < k; ++p) sum += (a[row * k + p] - zero_points[row]) * b[column * k + p];
            const float value = float(sum) * row_scales[row] * column_scales[column];
            float rounded = std::nearbyint(value * out_scale);
            rounded = rounded > 127.0f ? 127.0f : rounded < -128.0f ? -128.0f : rounded;
            wrong += std::abs(c[row * n + column] - int(rounded)) > 1;
            wrong += largest[column / (8 * kWarps) * m + row] + 1e-3f < std::fabs(value);
        }
    }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c), cudaFree(d_rows), cudaFree(d_columns), cudaFree(d_largest);
    cudaFree(d_zero);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
