// No fix: cp.async in inline assembly (PTX). Heat spreads in a plate: a block moves down a strip of columns and keeps
// a ring of four rows in shared memory, of which two are on their way while one is computed.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kWidth = 64;            // columns of a strip
constexpr int kRing = 4;
constexpr int kPitch = kWidth + 8;    // four columns of the neighbours on either side

__device__ __forceinline__ void copy_4(float* to, const float* from, bool valid)
{
    const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(valid ? 4 : 0)
                 : "memory");
}

#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")

// One row of the strip with a column on either side; what lies outside of the plate is 0.
__device__ void request(float (*ring)[kPitch], const float* plate, int row, int column0, int rows, int columns)
{
    float* to = ring[(row + kRing) % kRing];
    for (int t = threadIdx.x; t < kWidth + 2; t += blockDim.x) {
        const int column = column0 + t - 1;
        const bool valid = row >= 0 && row < rows && column >= 0 && column < columns;
        copy_4(&to[t + 3], valid ? plate + row * columns + column : plate, valid);
    }
    COMMIT();
}

// Grid: a block for each strip and each `height` rows.
__global__ void cp_async_heat(const float* plate, const float* sources, float* next, float* changes, int rows,
                              int columns, int height, float rate)
{
    __shared__ __align__(16) float ring[kRing][kPitch];
    __shared__ float moved[kWidth];
    const int column0 = blockIdx.x * kWidth, first = blockIdx.y * height;
    const int last = min(first + height, rows);
    const int own = threadIdx.x, column = column0 + own;
    moved[own] = 0.0f;
    for (int row = first - 1; row < first + 2; ++row) request(ring, plate, row, column0, rows, columns);
    for (int row = first; row < last; ++row) {
        // The ring's fourth row was read last one step ago; the barrier at the end of the loop is behind that.
        request(ring, plate, row + 2, column0, rows, columns);
        WAIT(1);
        __syncthreads();
        const float* above = ring[(row - 1 + kRing) % kRing];
        const float* here = ring[row % kRing];
        const float* below = ring[(row + 1) % kRing];
        if (column < columns) {
            const int at = own + 4;
            const float spread = above[at] + below[at] + here[at - 1] + here[at + 1] - 4.0f * here[at];
            const float change = rate * spread + sources[row * columns + column];
            next[row * columns + column] = here[at] + change;
            moved[own] += fabsf(change);
        }
        __syncthreads();
    }
    WAIT(0);
    for (int step = kWidth / 2; step > 0; step /= 2) {
        if (own < step) moved[own] += moved[own + step];
        __syncthreads();
    }
    if (own == 0) changes[blockIdx.y * gridDim.x + blockIdx.x] = moved[0];
}

int main()
{
    const int rows = 37, columns = 100, height = 16, steps = 3;
    const float rate = 0.125f;
    const dim3 grid((columns + kWidth - 1) / kWidth, (rows + height - 1) / height);
    std::vector<float> plate(rows * columns), sources(rows * columns), expected, changes(grid.x * grid.y);
    for (int i = 0; i < rows * columns; ++i) plate[i] = float(i * 13 % 29), sources[i] = i % 97 == 0 ? 1.0f : 0.0f;
    float *d_plate, *d_next, *d_sources, *d_changes;
    cudaMalloc(&d_plate, plate.size() * sizeof(float));
    cudaMalloc(&d_next, plate.size() * sizeof(float));
    cudaMalloc(&d_sources, sources.size() * sizeof(float));
    cudaMalloc(&d_changes, changes.size() * sizeof(float));
    cudaMemcpy(d_plate, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sources, sources.data(), sources.size() * sizeof(float), cudaMemcpyHostToDevice);
    expected = plate;
    for (int step = 0; step < steps; ++step) {
        cp_async_heat<<<grid, kWidth>>>(d_plate, d_sources, d_next, d_changes, rows, columns, height, rate);
        std::swap(d_plate, d_next);
        const std::vector<float> old = expected;
        auto at = [&](int r, int c) { return r < 0 || r >= rows || c < 0 || c >= columns ? 0.0f : old[r * columns + c]; };
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
                expected[r * columns + c] += rate * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) - 4.0f * at(r, c)) +
                                             sources[r * columns + c];
    }
    cudaMemcpy(plate.data(), d_plate, plate.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(changes.data(), d_changes, changes.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < rows * columns; ++i) wrong += std::fabs(plate[i] - expected[i]) > 1e-3f;
    for (const float change : changes) wrong += !(change > 0.0f);
    cudaFree(d_plate), cudaFree(d_next), cudaFree(d_sources), cudaFree(d_changes);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
