// Declined: blocks wait for the counts of earlier blocks. Run-length encoding in one pass: each block finds where runs
// begin in its slice, waits for the number of runs before it, and writes its runs and the lengths that end in it.
#include <cstdio>
#include <cuda/atomic>
#include <vector>

constexpr int kThreads = 64;
constexpr int kEach = 4;
constexpr int kSlice = kThreads * kEach;

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ inline int scanned(int value, int* shared)
{
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
        const int before = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
        __syncthreads();
        shared[threadIdx.x] += before;
        __syncthreads();
    }
    return shared[threadIdx.x];
}

// ready[b] is 1 more than the number of runs that begin before block b + 1's slice, 0 while that is not known.
__device__ inline int runs_before(int block, int own, int* ready)
{
    int before = 0;
    if (block > 0) {
        Flag flag(ready[block - 1]);
        int seen = 0;
        while ((seen = flag.load(cuda::memory_order_acquire)) == 0) {
        }
        before = seen - 1;
    }
    Flag(ready[block]).store(before + own + 1, cuda::memory_order_release);
    return before;
}

__global__ void run_lengths(const int* in, int* symbols, int* begins, int* runs, int* ready, int* ticket, int n)
{
    __shared__ int sums[kThreads];
    __shared__ int block, before;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    const int base = block * kSlice + threadIdx.x * kEach;
    bool begins_here[kEach];
    int own = 0;
    for (int e = 0; e < kEach; ++e) {
        const int i = base + e;
        begins_here[e] = i < n && (i == 0 || in[i] != in[i - 1]);
        own += begins_here[e];
    }
    const int inclusive = scanned(own, sums);
    if (threadIdx.x == kThreads - 1) before = runs_before(block, inclusive, ready);
    __syncthreads();
    int place = before + inclusive - own;
    for (int e = 0; e < kEach; ++e) {
        if (!begins_here[e]) continue;
        symbols[place] = in[base + e];
        begins[place] = base + e;
        ++place;
    }
    const bool is_last = block == (n + kSlice - 1) / kSlice - 1;
    if (is_last && threadIdx.x == kThreads - 1) *runs = before + inclusive;
}

int main()
{
    const int n = 1500, blocks = (n + kSlice - 1) / kSlice;
    std::vector<int> in(n), symbols(n), begins(n);
    unsigned state = 12345;
    for (int i = 0, symbol = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        if ((state >> 24) % 3 == 0) symbol = int(state >> 16 & 7);
        in[i] = symbol;
    }
    int *d_in, *d_symbols, *d_begins, *d_scratch;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_symbols, n * sizeof(int));
    cudaMalloc(&d_begins, n * sizeof(int));
    cudaMalloc(&d_scratch, (blocks + 2) * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_symbols, 0, n * sizeof(int));
    cudaMemset(d_begins, 0, n * sizeof(int));
    cudaMemset(d_scratch, 0, (blocks + 2) * sizeof(int));
    run_lengths<<<blocks, kThreads>>>(d_in, d_symbols, d_begins, d_scratch + blocks, d_scratch,
                                      d_scratch + blocks + 1, n);
    int runs = 0;
    cudaMemcpy(&runs, d_scratch + blocks, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(symbols.data(), d_symbols, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(begins.data(), d_begins, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0, expected = 0;
    for (int i = 0; i < n; ++i) {
        if (i > 0 && in[i] == in[i - 1]) continue;
        wrong += symbols[expected] != in[i] || begins[expected] != i;
        ++expected;
    }
    wrong += runs != expected;
    cudaFree(d_in), cudaFree(d_symbols), cudaFree(d_begins), cudaFree(d_scratch);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
