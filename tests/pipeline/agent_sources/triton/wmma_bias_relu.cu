// Declined: WMMA fragments whose elements are worked on in registers. C = relu(alpha * A * B + bias) and the number
// of entries that relu left at zero in each tile; four warps a block, a tile of 16 x 16 a warp.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <mma.h>
#include <vector>

using namespace nvcuda;

constexpr int kTile = 16;
constexpr int kWarps = 4;

__global__ void wmma_bias_relu(const half* a, const half* b, const float* bias, float* c, int* zeros, int m, int n,
                               int k, float alpha)
{
    __shared__ float tiles[kWarps][kTile * kTile];
    __shared__ int counts[kWarps];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * kTile, column0 = (blockIdx.x * kWarps + warp) * kTile;
    if (lane == 0) counts[warp] = 0;
    __syncthreads();
    if (column0 < n) {
        wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::col_major> right;
        wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sums;
        wmma::fill_fragment(sums, 0.0f);
        for (int k0 = 0; k0 < k; k0 += kTile) {
            wmma::load_matrix_sync(left, a + row0 * k + k0, k);
            wmma::load_matrix_sync(right, b + column0 * k + k0, k);
            wmma::mma_sync(sums, left, right, sums);
        }
        for (int e = 0; e < sums.num_elements; ++e) sums.x[e] *= alpha;
        wmma::store_matrix_sync(tiles[warp], sums, kTile, wmma::mem_row_major);
    }
    __syncthreads();
    if (column0 < n) {
        int own = 0;
        for (int e = lane; e < kTile * kTile; e += 32) {
            const int row = row0 + e / kTile, column = column0 + e % kTile;
            const float value = tiles[warp][e] + bias[column];
            own += value <= 0.0f;
            c[row * n + column] = fmaxf(value, 0.0f);
        }
        atomicAdd(&counts[warp], own);
    }
    __syncthreads();
    if (lane == 0 && column0 < n) zeros[blockIdx.y * (n / kTile) + column0 / kTile] = counts[warp];
}

int main()
{
    const int m = 32, n = 96, k = 48;
    const float alpha = 0.5f;
    std::vector<half> a(m * k), b(k * n);
    std::vector<float> bias(n), c(m * n);
    std::vector<int> zeros((m / kTile) * (n / kTile));
    for (int i = 0; i < m * k; ++i) a[i] = __float2half(float(i * 7 % 13 - 6) / 4.0f);
    for (int i = 0; i < k * n; ++i) b[i] = __float2half(float(i * 5 % 11 - 5) / 8.0f);
    for (int i = 0; i < n; ++i) bias[i] = float(i % 7 - 3) + 0.0625f;

    half *d_a, *d_b;
    float *d_bias, *d_c;
    int* d_zeros;
    cudaMalloc(&d_a, a.size() * sizeof(half));
    cudaMalloc(&d_b, b.size() * sizeof(half));
    cudaMalloc(&d_bias, bias.size() * sizeof(float));
    cudaMalloc(&d_c, c.size() * sizeof(float));
    cudaMalloc(&d_zeros, zeros.size() * sizeof(int));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(d_bias, bias.data(), bias.size() * sizeof(float), cudaMemcpyHostToDevice);
    const dim3 grid((n / kTile + kWarps - 1) / kWarps, m / kTile);
    wmma_bias_relu<<<grid, kWarps * 32>>>(d_a, d_b, d_bias, d_c, d_zeros, m, n, k, alpha);
    cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(zeros.data(), d_zeros, zeros.size() * sizeof(int), cudaMemcpyDeviceToHost);

    int wrong = 0;
    std::vector<int> expected(zeros.size());
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            float sum = 0.0f;
            for (int p = 0; p < k; ++p) sum += __half2float(a[row * k + p]) * __half2float(b[column * k + p]);
            const float value = alpha * sum + bias[column];
            expected[row / kTile * (n / kTile) + column / kTile] += value <= 0.0f;
            wrong += std::fabs(c[row * n + column] - std::fmax(value, 0.0f)) > 1e-3f;
        }
    }
    for (size_t t = 0; t < zeros.size(); ++t) wrong += zeros[t] != expected[t];
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_bias), cudaFree(d_c), cudaFree(d_zeros);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
