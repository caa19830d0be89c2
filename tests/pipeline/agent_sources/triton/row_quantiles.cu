// Declined: the kernel allocates memory (TIL014). The k-th smallest number of each row, from a copy that is sorted.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void row_quantiles(const float* x, float* quantile, int rows, int columns, int k)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || columns <= 0) return;
    float* sorted = (float*)malloc(columns * sizeof(float));
    for (int c = 0; c < columns; ++c) {
        int at = c;
        const float v = x[row * columns + c];
        for (; at > 0 && sorted[at - 1] > v; --at) sorted[at] = sorted[at - 1];
        sorted[at] = v;
    }
    quantile[row] = sorted[min(max(k, 0), columns - 1)];
    free(sorted);
}

int main()
{
    const int rows = 40, columns = 21, k = 8;
    std::vector<float> x(rows * columns), quantile(rows);
    for (int i = 0; i < rows * columns; ++i) x[i] = float(i * 131 % 257) / 8.0f;
    float *d_x, *d_quantile;
    cudaMalloc(&d_x, x.size() * sizeof(float));
    cudaMalloc(&d_quantile, rows * sizeof(float));
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    row_quantiles<<<(rows + 31) / 32, 32>>>(d_x, d_quantile, rows, columns, k);
    cudaMemcpy(quantile.data(), d_quantile, rows * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        std::sort(x.begin() + r * columns, x.begin() + (r + 1) * columns);
        wrong += quantile[r] != x[r * columns + k];
    }
    cudaFree(d_x), cudaFree(d_quantile);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
