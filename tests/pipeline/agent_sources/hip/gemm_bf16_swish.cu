// No fix: mma.sync in bfloat16, ldmatrix, and cp.async (PTX). C = swish(A * B^T + bias) with A of m x k, B of n x k;
// a block has a tile of 32 x 32, four warps with 16 x 16 each, and two buffers of 16 columns of k in shared memory.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <vector>

constexpr int kRows = 32, kColumns = 32, kDepth = 16;
constexpr int kPitch = kDepth + 8;  // 48 bytes a row, so that ldmatrix finds rows in different banks

using bf16 = __nv_bfloat16;

__device__ __forceinline__ uint32_t shared_address(const void* pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void copy_16(void* to, const void* from, bool valid)
{
    const int bytes = valid ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(bytes));
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;"); }

template <int kPending>
__device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(kPending));
}

__device__ __forceinline__ void load_x4(uint32_t (&r)[4], const bf16* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}

__device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float swish(float x) { return x / (1.0f + expf(-x)); }

// 128 threads: the first 64 fetch A's slice, the others B's; rows behind the matrix become zeros.
__device__ __forceinline__ void fetch(bf16 (*a_tile)[kPitch], bf16 (*b_tile)[kPitch], const bf16* a, const bf16* b,
                                      int row0, int column0, int k0, int m, int n, int k)
{
    const int part = threadIdx.x % 64, row = part / 2, half = part % 2 * 8;
    if (threadIdx.x < 64) {
        const bool valid = row0 + row < m;
        copy_16(&a_tile[row][half], a + (valid ? row0 + row : 0) * k + k0 + half, valid);
    } else {
        const bool valid = column0 + row < n;
        copy_16(&b_tile[row][half], b + (valid ? column0 + row : 0) * k + k0 + half, valid);
    }
    commit();
}

// k is a multiple of 16.
__global__ void gemm_bf16_swish(const bf16* a, const bf16* b, const float* bias, bf16* c, int m, int n, int k)
{
    __shared__ __align__(16) bf16 a_tiles[2][kRows][kPitch];
    __shared__ __align__(16) bf16 b_tiles[2][kColumns][kPitch];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * kRows, column0 = blockIdx.x * kColumns;
    const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 16;
    float sums[2][4] = {};

    fetch(a_tiles[0], b_tiles[0], a, b, row0, column0, 0, m, n, k);
    for (int k0 = 0; k0 < k; k0 += kDepth) {
        const int now = k0 / kDepth % 2;
        if (k0 + kDepth < k) {
            fetch(a_tiles[1 - now], b_tiles[1 - now], a, b, row0, column0, k0 + kDepth, m, n, k);
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
        uint32_t left[4], right[4];
        load_x4(left, &a_tiles[now][warp_row + lane % 16][lane / 16 * 8]);
        load_x4(right, &b_tiles[now][warp_column + lane / 16 * 8 + lane % 8][lane / 8 % 2 * 8]);
        multiply(sums[0], left, right[0], right[1]);
        multiply(sums[1], left, right[2], right[3]);
        __syncthreads();
    }

    for (int side = 0; side < 2; ++side) {
        for (int e = 0; e < 4; ++e) {
            const int row = row0 + warp_row + lane / 4 + e / 2 * 8;
            const int column = column0 + warp_column + side * 8 + lane % 4 * 2 + e % 2;
            if (row < m && column < n) c[row * n + column] = __float2bfloat16(swish(sums[side][e] + bias[column]));
        }
    }
}

int main()
{
    const int m = 40, n = 72, k = 64;
    std::vector<bf16> a(m * k), b(n * k), c(m * n);
    std::vector<float> bias(n);
    for (int i = 0; i < m * k; ++i) a[i] = __float2bfloat16(float(i * 7 % 13 - 6) / 8.0f);
    for (int i = 0; i < n * k; ++i) b[i] = __float2bfloat16(float(i * 5 % 11 - 5) / 8.0f);
    for (int i = 0; i < n; ++i) bias[i] = float(i % 5) * 0.25f - 0.5f;
    bf16 *d_a, *d_b, *d_c;
    float* d_bias;
    cudaMalloc(&d_a, a.size() * sizeof(bf16));
    cudaMalloc(&d_b, b.size() * sizeof(bf16));
    cudaMalloc(&d_c, c.size() * sizeof(bf16));
    cudaMalloc(&d_bias, bias.size() * sizeof(float));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(bf16), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(bf16), cudaMemcpyHostToDevice);
    cudaMemcpy(d_bias, bias.data(), bias.size() * sizeof(float), cudaMemcpyHostToDevice);
    const dim3 grid((n + kColumns - 1) / kColumns, (m + kRows - 1) / kRows);
    gemm_bf16_swish<<<grid, 128>>>(d_a, d_b, d_bias, d_c, m, n, k);
    cudaMemcpy(c.data(), d_c, c.size() * sizeof(bf16), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < m * n; ++i) {
        float sum = bias[i % n];
        for (int p = 0; p < k; ++p) sum += __bfloat162float(a[i / n * k + p]) * __bfloat162float(b[i % n * k + p]);
        const float expected = sum / (1.0f + std::exp(-sum));
        wrong += std::fabs(__bfloat162float(c[i]) - expected) > 0.01f * std::fabs(expected) + 1e-3f;
    }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c), cudaFree(d_bias);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
