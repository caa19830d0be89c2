// Declined: each row's function is called through a pointer from a table in device memory (TIL003).
#include <cmath>
#include <cstdio>
#include <vector>

typedef float (*Activation)(float, float);

__device__ float leaky(float x, float slope) { return x > 0.0f ? x : slope * x; }
__device__ float clipped(float x, float limit) { return fminf(fmaxf(x, -limit), limit); }
__device__ float soft_sign(float x, float scale) { return x / (scale + fabsf(x)); }

__device__ Activation activations[3] = {leaky, clipped, soft_sign};

__global__ void activate_rows(const float* x, const int* which, const float* parameter, float* y, int columns)
{
    const int row = blockIdx.x;
    const Activation f = activations[which[row] % 3];
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        y[row * columns + c] = f(x[row * columns + c], parameter[row]);
}

int main()
{
    const int rows = 9, columns = 150;
    std::vector<float> x(rows * columns), y(x.size()), parameter(rows);
    std::vector<int> which(rows);
    for (size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * 37 % 101) - 50) / 16.0f;
    for (int r = 0; r < rows; ++r) which[r] = r * 5 % 3, parameter[r] = 0.25f + 0.125f * r;
    float *d_x, *d_y, *d_parameter;
    int* d_which;
    cudaMalloc(&d_x, x.size() * sizeof(float));
    cudaMalloc(&d_y, x.size() * sizeof(float));
    cudaMalloc(&d_parameter, rows * sizeof(float));
    cudaMalloc(&d_which, rows * sizeof(int));
    cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_parameter, parameter.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_which, which.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    activate_rows<<<rows, 64>>>(d_x, d_which, d_parameter, d_y, columns);
    cudaMemcpy(y.data(), d_y, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < rows * columns; ++i) {
        const float v = x[i], p = parameter[i / columns];
        const float expected[] = {v > 0 ? v : p * v, std::fmin(std::fmax(v, -p), p), v / (p + std::fabs(v))};
        wrong += std::fabs(y[i] - expected[which[i / columns]]) > 1e-6f;
    }
    cudaFree(d_x), cudaFree(d_y), cudaFree(d_parameter), cudaFree(d_which);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
