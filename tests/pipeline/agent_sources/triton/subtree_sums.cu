// Declined: the device function calls itself (TIL004).
// The sum of every subtree of a binary tree, whose children may be missing (-1).
#include <cstdio>
#include <vector>

__device__ float subtree_sum(const float* value, const int* left, const int* right, int node)
{
    if (node < 0) return 0.0f;
    return value[node] + subtree_sum(value, left, right, left[node])
           + subtree_sum(value, left, right, right[node]);
}

__global__ void subtree_sums(const float* value, const int* left, const int* right, float* sum, int n)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < n) sum[node] = subtree_sum(value, left, right, node);
}

int main()
{
    const int n = 400;
    std::vector<float> value(n), sum(n);
    std::vector<int> left(n), right(n);
    for (int i = 0; i < n; ++i) {
        value[i] = float(i % 7) - 2.0f;
        left[i] = 2 * i + 1 < n ? 2 * i + 1 : -1;
        right[i] = 2 * i + 2 < n && i % 5 != 3 ? 2 * i + 2 : -1;
    }
    float *d_value, *d_sum;
    int *d_left, *d_right;
    cudaMalloc(&d_value, n * sizeof(float));
    cudaMalloc(&d_sum, n * sizeof(float));
    cudaMalloc(&d_left, n * sizeof(int));
    cudaMalloc(&d_right, n * sizeof(int));
    cudaMemcpy(d_value, value.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_left, left.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_right, right.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    subtree_sums<<<(n + 127) / 128, 128>>>(d_value, d_left, d_right, d_sum, n);
    cudaMemcpy(sum.data(), d_sum, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    std::vector<float> expected(value);
    for (int i = n - 1; i >= 0; --i) {
        if (left[i] >= 0) expected[i] += expected[left[i]];
        if (right[i] >= 0) expected[i] += expected[right[i]];
        wrong += sum[i] != expected[i];
    }
    cudaFree(d_value), cudaFree(d_sum), cudaFree(d_left), cudaFree(d_right);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
