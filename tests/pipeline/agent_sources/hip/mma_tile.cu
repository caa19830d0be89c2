// No fix: ldmatrix and mma.sync, whose operands lie in the lanes of a warp as NVIDIA has it (PTX001).
// C = A * B for A of 16 x K and B of K x 8, half factors, float sums; a warp a tile of C.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

__device__ inline void load_a(uint32_t (&a)[4], const half* row)
{
    const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address));
}

__device__ inline void load_b(uint32_t (&b)[2], const half* row)
{
    const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(address));
}

__device__ inline void multiply(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Grid: (n / 8, m / 16); one warp a block. m, n and k are multiples of 16, 8 and 16.
__global__ void mma_tile(const half* a, const half* b, float* c, int n, int k)
{
    __shared__ half a_tile[16][16];
    __shared__ half b_tile[16][8];
    const int lane = threadIdx.x, row0 = blockIdx.y * 16, column0 = blockIdx.x * 8;
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = lane; e < 256; e += 32) a_tile[e / 16][e % 16] = a[(row0 + e / 16) * k + k0 + e % 16];
        for (int e = lane; e < 128; e += 32) b_tile[e / 8][e % 8] = b[(k0 + e / 8) * n + column0 + e % 8];
        __syncwarp();
        uint32_t left[4], right[2];
        load_a(left, &a_tile[lane % 16][lane / 16 * 8]);
        load_b(right, &b_tile[lane % 16][0]);
        multiply(sums, left, right);
        __syncwarp();
    }
    const int row = row0 + lane / 4, column = column0 + lane % 4 * 2;
    c[row * n + column] = sums[0];
    c[row * n + column + 1] = sums[1];
    c[(row + 8) * n + column] = sums[2];
    c[(row + 8) * n + column + 1] = sums[3];
}

int main()
{
    const int m = 32, n = 24, k = 48;
    std::vector<half> a(m * k), b(k * n);
    std::vector<float> c(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = __float2half(float(i * 7 % 13 - 6) / 4.0f);
    for (int i = 0; i < k * n; ++i) b[i] = __float2half(float(i * 5 % 11 - 5) / 8.0f);
    half *d_a, *d_b;
    float* d_c;
    cudaMalloc(&d_a, a.size() * sizeof(half));
    cudaMalloc(&d_b, b.size() * sizeof(half));
    cudaMalloc(&d_c, c.size() * sizeof(float));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
    mma_tile<<<dim3(n / 8, m / 16), 32>>>(d_a, d_b, d_c, n, k);
    cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < m * n; ++i) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) sum += __half2float(a[i / n * k + p]) * __half2float(b[p * n + i % n]);
        wrong += std::fabs(c[i] - sum) > 1e-3f;
    }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
