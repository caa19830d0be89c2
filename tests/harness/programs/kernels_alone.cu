// Kernels that nothing launches: what is said of each stands in test_infer_launches.py.
#include <cuda_runtime.h>

namespace blas {
__global__ void axpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
}  // namespace blas

__global__ void spmv(int rows, const int* row_ptr, const int* col, const float* val, const float* x, float* y)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float sum = 0.0f;
        for (int j = row_ptr[r]; j < row_ptr[r + 1]; ++j) sum += val[j] * x[col[j]];
        y[r] = sum;
    }
}

__global__ void transpose(float* out, const float* in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

// The place comes from a counter: how long `out` is, the first run shows.
__global__ void compact(const unsigned char* in, float4* out, unsigned int* counter, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 3) out[2 * atomicAdd(counter, 1u)] = make_float4(1.0f, 2.0f, 3.0f, in[i]);
}

__global__ void reads_before_the_start(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i - 1];
}

template <int N>
__global__ void templated(float* x)
{
    x[threadIdx.x] = N;
}

struct Settings {
    float scale;
};

__global__ void takes_a_struct(Settings settings, float* x) { x[threadIdx.x] *= settings.scale; }

// Two of one name: each has its own parameters.
__global__ void refill(float* x, float value, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[2 * i] = value;
}

__global__ void refill(int* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void lanes(const int4* in, const int2* pick, const float* table, int* out, bool negate, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int4 v = in[i];
    const int2 at = pick[i];
    const int sum = v.x + v.y + v.z + v.w + (int)table[at.y];
    out[i] = negate ? -sum : sum;
}

// A mask bounds the place, and far beyond what any launch reaches.
__global__ void masked(float* x, unsigned int step)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[(i * step) & 0x1ffffffu] = 1.0f;
}

__global__ void clamp_all(float* x, float low, float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = fminf(fmaxf(x[i], low), high);
}
