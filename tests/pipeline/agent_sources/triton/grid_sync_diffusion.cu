// Declined: the grid waits at a barrier between the steps (cooperative groups, TIL020).
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

__global__ void diffuse(float* a, float* b, int n, int steps, float rate)
{
    cg::grid_group grid = cg::this_grid();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *from = a, *to = b;
    for (int step = 0; step < steps; ++step) {
        if (i < n) {
            const float left = from[i > 0 ? i - 1 : i], right = from[i + 1 < n ? i + 1 : i];
            to[i] = from[i] + rate * (left - 2.0f * from[i] + right);
        }
        grid.sync();
        float* swapped = from;
        from = to;
        to = swapped;
    }
}

int main()
{
    int n = 300, steps = 6;
    float rate = 0.25f;
    std::vector<float> a(n), b(n), got(n);
    for (int i = 0; i < n; ++i) a[i] = float(i * 29 % 41);
    float *d_a, *d_b;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_b, 0, n * sizeof(float));
    void* arguments[] = {&d_a, &d_b, &n, &steps, &rate};
    cudaLaunchCooperativeKernel((void*)diffuse, dim3((n + 127) / 128), dim3(128), arguments, 0, 0);
    cudaMemcpy(got.data(), d_a, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i) {
            const float left = a[i > 0 ? i - 1 : i], right = a[i + 1 < n ? i + 1 : i];
            b[i] = a[i] + rate * (left - 2.0f * a[i] + right);
        }
        std::swap(a, b);
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += std::fabs(got[i] - a[i]) > 1e-4f;
    cudaFree(d_a), cudaFree(d_b);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
