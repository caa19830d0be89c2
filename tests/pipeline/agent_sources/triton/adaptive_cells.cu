// Declined: a kernel that launches kernels. A square is divided as long as a function varies in it; each cell that
// is not divided adds its area, and its depth to a histogram.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kMostDepth = 4;

struct Cell {
    float x, y, size;
};

__device__ inline float height_at(const float* waves, int count, float x, float y)
{
    float sum = 0.0f;
    for (int w = 0; w < count; ++w) {
        const float* wave = waves + 4 * w;
        const float dx = x - wave[0], dy = y - wave[1];
        sum += wave[2] / (1.0f + wave[3] * (dx * dx + dy * dy));
    }
    return sum;
}

__device__ inline bool varies(const float* waves, int count, const Cell& cell, float tolerance)
{
    const float middle = height_at(waves, count, cell.x + 0.5f * cell.size, cell.y + 0.5f * cell.size);
    float corners = 0.0f;
    for (int corner = 0; corner < 4; ++corner) {
        const float x = cell.x + (corner & 1) * cell.size, y = cell.y + (corner >> 1) * cell.size;
        corners += height_at(waves, count, x, y);
    }
    return fabsf(middle - 0.25f * corners) > tolerance;
}

__device__ inline void settle(const Cell& cell, int depth, int root, int* areas, int* histogram)
{
    const int unit = 1 << (2 * (kMostDepth - depth));  // of the smallest cells
    atomicAdd(&areas[root], unit);
    atomicAdd(&histogram[depth], 1);
}

__global__ void divide(const float* waves, int count, Cell cell, int depth, int root, float tolerance, int* areas,
                       int* histogram)
{
    const int part = threadIdx.x;
    const float half = 0.5f * cell.size;
    const Cell own = {cell.x + (part & 1) * half, cell.y + (part >> 1) * half, half};
    if (depth < kMostDepth && varies(waves, count, own, tolerance))
        divide<<<1, 4>>>(waves, count, own, depth + 1, root, tolerance, areas, histogram);
    else
        settle(own, depth, root, areas, histogram);
}

__global__ void adaptive_cells(const float* waves, int count, float size, int columns, int cells, float tolerance,
                               int* areas, int* histogram)
{
    const int root = blockIdx.x * blockDim.x + threadIdx.x;
    if (root >= cells) return;
    const Cell cell = {float(root % columns) * size, float(root / columns) * size, size};
    if (varies(waves, count, cell, tolerance))
        divide<<<1, 4>>>(waves, count, cell, 1, root, tolerance, areas, histogram);
    else
        settle(cell, 0, root, areas, histogram);
}

int main()
{
    const int columns = 6, cells = 36, count = 3;
    const float waves[4 * count] = {0.3f, 0.4f, 1.0f, 20.0f, 0.8f, 0.7f, -0.5f, 40.0f, 0.1f, 0.9f, 0.7f, 60.0f};
    float* d_waves;
    int *d_areas, *d_histogram;
    cudaMalloc(&d_waves, sizeof(waves));
    cudaMalloc(&d_areas, cells * sizeof(int));
    cudaMalloc(&d_histogram, (kMostDepth + 1) * sizeof(int));
    cudaMemcpy(d_waves, waves, sizeof(waves), cudaMemcpyHostToDevice);
    cudaMemset(d_areas, 0, cells * sizeof(int));
    cudaMemset(d_histogram, 0, (kMostDepth + 1) * sizeof(int));
    adaptive_cells<<<(cells + 31) / 32, 32>>>(d_waves, count, 1.0f / columns, columns, cells, 0.01f, d_areas,
                                              d_histogram);
    cudaDeviceSynchronize();
    std::vector<int> areas(cells), histogram(kMostDepth + 1);
    cudaMemcpy(areas.data(), d_areas, cells * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(histogram.data(), d_histogram, histogram.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0, units = 0;
    for (const int area : areas) wrong += area != 1 << (2 * kMostDepth);
    for (int depth = 0; depth <= kMostDepth; ++depth) units += histogram[depth] << (2 * (kMostDepth - depth));
    wrong += units != cells << (2 * kMostDepth);
    cudaFree(d_waves), cudaFree(d_areas), cudaFree(d_histogram);
    std::printf("%s %d %d\n", wrong ? "FAIL" : "PASS", histogram[0], histogram[kMostDepth]);
    return wrong != 0;
}
