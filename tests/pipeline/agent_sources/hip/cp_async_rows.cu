// No fix: cp.async in inline PTX (PTX001). Sums of rows; a row is copied while the one before is added up.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kColumns = 256;

__device__ inline void copy_16_bytes(float* to, const float* from)
{
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
}

__global__ void row_sums(const float* x, float* sums, int rows)
{
    __shared__ __align__(16) float buffer[2][kColumns];
    __shared__ float partial[kThreads];
    const int t = threadIdx.x;
    int row = blockIdx.x, at = 0;
    if (row < rows) copy_16_bytes(&buffer[0][4 * t], x + row * kColumns + 4 * t);
    asm volatile("cp.async.commit_group;");
    for (; row < rows; row += gridDim.x, at ^= 1) {
        const int next = row + gridDim.x;
        if (next < rows) copy_16_bytes(&buffer[at ^ 1][4 * t], x + next * kColumns + 4 * t);
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        float sum = 0.0f;
        for (int c = t; c < kColumns; c += kThreads) sum += buffer[at][c];
        partial[t] = sum;
        __syncthreads();
        for (int step = kThreads / 2; step > 0; step /= 2) {
            if (t < step) partial[t] += partial[t + step];
            __syncthreads();
        }
        if (t == 0) sums[row] = partial[0];
    }
}

int main()
{
    const int rows = 11;
    std::vector<float> x(rows * kColumns), sums(rows);
    for (size_t i = 0; i < x.size(); ++i) x[i] = float(i * 13 % 29) / 4.0f - 3.0f;
    float *d_x, *d_sums;
    cudaMalloc(&d_x, x.size() * sizeof(float));
    cudaMalloc(&d_sums, rows * sizeof(float));
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    row_sums<<<3, kThreads>>>(d_x, d_sums, rows);
    cudaMemcpy(sums.data(), d_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < kColumns; ++c) sum += x[r * kColumns + c];
        wrong += std::fabs(sums[r] - sum) > 1e-2;
    }
    cudaFree(d_x), cudaFree(d_sums);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
