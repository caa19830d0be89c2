// Declined: a virtual call in the kernel (TIL006).
#include <cmath>
#include <cstdio>
#include <vector>

struct Shape {
    __device__ virtual float area(float w, float h) const = 0;
};
struct Box : Shape {
    __device__ float area(float w, float h) const override { return w * h; }
};
struct Ellipse : Shape {
    __device__ float area(float w, float h) const override { return 0.78539816f * w * h; }
};
struct Triangle : Shape {
    __device__ float area(float w, float h) const override { return 0.5f * w * h; }
};

__global__ void areas(const int* kind, const float* w, const float* h, float* area, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Box box;
    Ellipse ellipse;
    Triangle triangle;
    const Shape* shape = &triangle;
    if (kind[i] == 0) shape = &box;
    if (kind[i] == 1) shape = &ellipse;
    area[i] = shape->area(w[i], h[i]);
}

int main()
{
    const int n = 260;
    std::vector<int> kind(n);
    std::vector<float> w(n), h(n), area(n);
    for (int i = 0; i < n; ++i) kind[i] = i * 7 % 3, w[i] = 1.0f + i % 9, h[i] = 0.5f + i % 4;
    int* d_kind;
    float *d_w, *d_h, *d_area;
    cudaMalloc(&d_kind, n * sizeof(int));
    cudaMalloc(&d_w, n * sizeof(float));
    cudaMalloc(&d_h, n * sizeof(float));
    cudaMalloc(&d_area, n * sizeof(float));
    cudaMemcpy(d_kind, kind.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_h, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    areas<<<(n + 127) / 128, 128>>>(d_kind, d_w, d_h, d_area, n);
    cudaMemcpy(area.data(), d_area, n * sizeof(float), cudaMemcpyDeviceToHost);
    const float factor[] = {1.0f, 0.78539816f, 0.5f};
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += std::fabs(area[i] - factor[kind[i]] * w[i] * h[i]) > 1e-4f;
    cudaFree(d_kind), cudaFree(d_w), cudaFree(d_h), cudaFree(d_area);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
