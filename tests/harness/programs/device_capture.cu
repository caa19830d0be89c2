// Everything that a capture on a GPU redirects: launches of every spelling, symbols, copies to the host.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

struct Affine {
    float factor;
    const float* offsets;
};

__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int counter;

namespace first {
__global__ void scale(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= weights[i % 4];
}
}  // namespace first

namespace second {
__global__ void scale(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] -= 1.0f;
}
template <class T, int kStep>
__global__ void step(T* data, size_t n) {
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += kStep;
}
}  // namespace second

template <class T>
__global__ void affine(T* data, Affine map, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = map.factor * data[i] + map.offsets[i];
    if (i == 0) atomicAdd(&counter, 1);
}

__global__ void untouched(const float* data, float* nothing, double scalar) {}

int main() {
    const int n = 100, bytes = n * sizeof(float);
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i) host[i] = 0.25f * i;
    float *data, *offsets;
    cudaMalloc(&data, bytes);
    ::cudaMalloc((void**)&offsets, bytes);
    cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(offsets, host.data(), bytes, cudaMemcpyHostToDevice);
    first::scale<<<2, 64>>>(data, n);
    second::scale<<<dim3(2), dim3(64), 0>>>(data + 10, n - 10);
    second::step<float, (3 > 2) ? 5 : 0><<<2, 64, 0, 0>>>(data, n);
    affine<<<2, 64>>>(data, Affine{2.0f, offsets + 0}, n);
    untouched<<<1, 1>>>(data, nullptr, 3);
    void* arguments[] = {&data, (void*)&n};
    cudaLaunchKernel((const void*)first::scale, dim3(2), dim3(64), arguments, 0, 0);
    cudaMemcpyAsync(host.data(), data, bytes, cudaMemcpyDeviceToHost);
    float corner[2][2];
    cudaMemcpy2D(corner, 2 * sizeof(float), data, 10 * sizeof(float), 2 * sizeof(float), 2, cudaMemcpyDefault);
    int count = 0;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaFree(data);
    cudaFree(offsets);
    std::printf("%d %g\n", count, host[1]);
    return count == 1 && corner[0][1] == host[1] ? 0 : 1;
}
