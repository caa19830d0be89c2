// No fix: a barrier object in shared memory, in inline PTX (PTX001).
// Each round every thread adds what its right neighbour had the round before.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kThreads = 96;

__device__ inline void wait(uint64_t* barrier)
{
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    int done = 0;
    while (!done) {
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.test_wait.shared.b64 p, [%1], %2;\n\t"
                     "selp.b32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(address), "l"(state)
                     : "memory");
    }
}

__global__ void neighbour_rounds(const int* in, int* out, int rounds)
{
    __shared__ int values[2][kThreads];
    __shared__ uint64_t barrier;
    const int t = threadIdx.x;
    if (t == 0) {
        const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(kThreads) : "memory");
    }
    __syncthreads();
    values[0][t] = in[blockIdx.x * kThreads + t];
    for (int r = 0; r < rounds; ++r) {
        wait(&barrier);
        values[(r + 1) % 2][t] = (values[r % 2][t] + values[r % 2][(t + 1) % kThreads]) & 0xffff;
    }
    out[blockIdx.x * kThreads + t] = values[rounds % 2][t];
}

int main()
{
    const int blocks = 3, n = blocks * kThreads, rounds = 5;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * 19 % 503;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    neighbour_rounds<<<blocks, kThreads>>>(d_in, d_out, rounds);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rounds; ++r) {
        std::vector<int> next(n);
        for (int i = 0; i < n; ++i)
            next[i] = (in[i] + in[i / kThreads * kThreads + (i % kThreads + 1) % kThreads]) & 0xffff;
        in = next;
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != in[i];
    cudaFree(d_in), cudaFree(d_out);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
