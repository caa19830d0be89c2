// Declined: a cuda::barrier in shared memory. Sums over a ring of neighbours, round after round.
#include <cstdio>
#include <cuda/barrier>
#include <vector>

constexpr int kThreads = 64;

__global__ void ring_rounds(const int* in, int* out, int rounds)
{
    __shared__ int ring[2][kThreads];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, kThreads);
    __syncthreads();
    ring[0][t] = in[blockIdx.x * kThreads + t];
    for (int r = 0; r < rounds; ++r) {
        barrier.arrive_and_wait();
        const int* from = ring[r % 2];
        ring[(r + 1) % 2][t] = (from[(t + kThreads - 1) % kThreads] + 3 * from[t] + from[(t + 1) % kThreads]) % 10007;
    }
    out[blockIdx.x * kThreads + t] = ring[rounds % 2][t];
}

int main()
{
    const int blocks = 5, n = blocks * kThreads, rounds = 7;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * 61 % 997;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    ring_rounds<<<blocks, kThreads>>>(d_in, d_out, rounds);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rounds; ++r) {
        std::vector<int> next(n);
        for (int i = 0; i < n; ++i) {
            const int base = i / kThreads * kThreads, t = i % kThreads;
            next[i] = (in[base + (t + kThreads - 1) % kThreads] + 3 * in[i] + in[base + (t + 1) % kThreads]) % 10007;
        }
        in = next;
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != in[i];
    cudaFree(d_in), cudaFree(d_out);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
