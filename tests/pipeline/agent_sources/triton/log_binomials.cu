// Declined: lgammaf has no equivalent in Triton (TIL052).
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void log_binomials(const int* n, const int* k, float* out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float a = n[i] & 1023, b = min(k[i] & 1023, n[i] & 1023);
    out[i] = lgammaf(a + 1.0f) - lgammaf(b + 1.0f) - lgammaf(a - b + 1.0f);
}

int main()
{
    const int count = 300;
    std::vector<int> n(count), k(count);
    std::vector<float> out(count);
    for (int i = 0; i < count; ++i) n[i] = 1 + i * 3, k[i] = (i * 7) % (n[i] + 1);
    int *d_n, *d_k;
    float* d_out;
    cudaMalloc(&d_n, count * sizeof(int));
    cudaMalloc(&d_k, count * sizeof(int));
    cudaMalloc(&d_out, count * sizeof(float));
    cudaMemcpy(d_n, n.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_k, k.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    log_binomials<<<(count + 127) / 128, 128>>>(d_n, d_k, d_out, count);
    cudaMemcpy(out.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        const double e = std::lgamma(n[i] + 1.0) - std::lgamma(k[i] + 1.0) - std::lgamma(n[i] - k[i] + 1.0);
        wrong += std::fabs(out[i] - e) > 0.05;
    }
    cudaFree(d_n), cudaFree(d_k), cudaFree(d_out);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
