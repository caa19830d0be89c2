// No fix: a reduction and a vote among the lanes of a warp in inline PTX (PTX001).
// Counts the common bits of rows of 128 bits, and how many lanes of the warp have the most.
#include <cstdio>
#include <vector>

__global__ void common_bits(const unsigned* a, const unsigned* b, unsigned* count, unsigned* leaders, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bits = 0;
    if (i < n)
        for (int w = 0; w < 4; ++w) bits += __popc(a[4 * i + w] & b[4 * i + w]);
    unsigned most, mask;
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(most) : "r"(bits));
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "setp.eq.u32 p, %1, %2;\n\t"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff;\n\t}"
                 : "=r"(mask)
                 : "r"(bits), "r"(most));
    if (i < n) {
        count[i] = bits;
        leaders[i] = __popc(mask);
    }
}

int main()
{
    const int n = 180;
    std::vector<unsigned> a(4 * n), b(4 * n), count(n), leaders(n);
    for (int i = 0; i < 4 * n; ++i) a[i] = 2654435761u * (i + 1), b[i] = 2246822519u * (i + 7) >> i % 5;
    unsigned *d_a, *d_b, *d_count, *d_leaders;
    cudaMalloc(&d_a, 4 * n * sizeof(unsigned));
    cudaMalloc(&d_b, 4 * n * sizeof(unsigned));
    cudaMalloc(&d_count, n * sizeof(unsigned));
    cudaMalloc(&d_leaders, n * sizeof(unsigned));
    cudaMemcpy(d_a, a.data(), 4 * n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), 4 * n * sizeof(unsigned), cudaMemcpyHostToDevice);
    common_bits<<<3, 64>>>(d_a, d_b, d_count, d_leaders, n);
    cudaMemcpy(count.data(), d_count, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaMemcpy(leaders.data(), d_leaders, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        unsigned bits = 0, most = 0, same = 0;
        for (int w = 0; w < 4; ++w) bits += __builtin_popcount(a[4 * i + w] & b[4 * i + w]);
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < n; ++j) most = count[j] > most ? count[j] : most;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < n; ++j) same += count[j] == most;
        wrong += count[i] != bits || leaders[i] != same;
    }
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_count), cudaFree(d_leaders);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
