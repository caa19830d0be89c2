// Declined: curand_init seeds XORWOW, cuRAND's default generator, in the kernel (TIL011).
#include <cstdio>
#include <curand_kernel.h>
#include <vector>

__global__ void add_noise(const float* x, float* y, unsigned long long seed, float scale, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandState state;
    curand_init(seed + i, 0, 0, &state);
    float noise = 0.0f;
    for (int k = 0; k < 4; ++k) noise += curand_uniform(&state) - 0.5f;
    y[i] = x[i] + scale * noise;
}

int main()
{
    const int n = 500;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = float(i % 13);
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add_noise<<<(n + 127) / 128, 128>>>(d_x, d_y, 20240917ull, 0.5f, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
        sum += y[i] - x[i];
        largest = largest > y[i] - x[i] ? largest : y[i] - x[i];
    }
    cudaFree(d_x), cudaFree(d_y);
    const bool fits = sum / n < 0.1 && sum / n > -0.1 && largest > 0.2 && largest <= 1.0;
    printf("%s\n", fits ? "PASS" : "FAIL");
    return !fits;
}
