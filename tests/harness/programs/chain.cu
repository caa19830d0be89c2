// A chain of kernels in which a mistake of the first reaches the second, and two kernels of one name.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace first {
__global__ void scale(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3.0f * in[i];
}
}  // namespace first

namespace second {
__global__ void scale(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5f * in[i];
}
__global__ void shift(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1.0f;
}
}  // namespace second

int main(int argc, char** argv) {
    const int n = 300, bytes = n * sizeof(float);
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i) host[i] = 0.125f * i;
    float *a, *b, *c, *d;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMalloc(&d, bytes);
    cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
    first::scale<<<5, 64>>>(a, b, n);
    second::scale<<<5, 64>>>(b, c, n);
    second::shift<<<5, 64>>>(c, d, n);
    cudaMemcpy(host.data(), d, bytes, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
    return 0;
}
