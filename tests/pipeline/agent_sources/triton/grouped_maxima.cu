// Declined: __reduce_max_sync among lanes whose masks differ. The maximum of each group of equal keys in a warp.
#include <cstdio>
#include <vector>

__global__ void grouped_maxima(const int* key, const int* value, int* maximum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const unsigned peers = __match_any_sync(active, key[i]);
    maximum[i] = __reduce_max_sync(peers, value[i]);
}

int main()
{
    const int n = 300;
    std::vector<int> key(n), value(n), maximum(n);
    for (int i = 0; i < n; ++i) key[i] = i * 11 % 5, value[i] = i * 37 % 101 - 40;
    int *d_key, *d_value, *d_maximum;
    cudaMalloc(&d_key, n * sizeof(int));
    cudaMalloc(&d_value, n * sizeof(int));
    cudaMalloc(&d_maximum, n * sizeof(int));
    cudaMemcpy(d_key, key.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_value, value.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    grouped_maxima<<<(n + 127) / 128, 128>>>(d_key, d_value, d_maximum, n);
    cudaMemcpy(maximum.data(), d_maximum, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int expected = value[i];
        for (int j = i / 32 * 32; j < n && j < i / 32 * 32 + 32; ++j)
            if (key[j] == key[i] && value[j] > expected) expected = value[j];
        wrong += maximum[i] != expected;
    }
    cudaFree(d_key), cudaFree(d_value), cudaFree(d_maximum);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
