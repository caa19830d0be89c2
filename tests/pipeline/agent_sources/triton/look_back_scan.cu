// Declined: blocks wait for the sums of earlier blocks while they run (an acquire load in a loop).
// Inclusive prefix sum in one pass: a block publishes its total, and later its prefix, with a flag.
#include <cstdio>
#include <cuda/atomic>
#include <vector>

constexpr int kThreads = 128;

__global__ void look_back_scan(const int* in, int* out, int* total, int* prefix, int* state, int* ticket, int n)
{
    __shared__ int values[kThreads];
    __shared__ int block, before;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    const int i = block * kThreads + threadIdx.x;
    values[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
        const int other = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
        __syncthreads();
        values[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const int own = values[kThreads - 1];
        total[block] = own;
        cuda::atomic_ref<int, cuda::thread_scope_device>(state[block]).store(1, cuda::memory_order_release);
        int sum = 0;
        for (int b = block - 1; b >= 0; --b) {
            cuda::atomic_ref<int, cuda::thread_scope_device> flag(state[b]);
            int seen = 0;
            while ((seen = flag.load(cuda::memory_order_acquire)) == 0) {
            }
            if (seen == 2) {
                sum += prefix[b];
                break;
            }
            sum += total[b];
        }
        prefix[block] = sum + own;
        cuda::atomic_ref<int, cuda::thread_scope_device>(state[block]).store(2, cuda::memory_order_release);
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = before + values[threadIdx.x];
}

int main()
{
    const int n = 1000, blocks = (n + kThreads - 1) / kThreads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * 31 % 17 - 5;
    int *d_in, *d_out, *d_scratch;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_scratch, (3 * blocks + 1) * sizeof(int));
    cudaMemset(d_scratch, 0, (3 * blocks + 1) * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    look_back_scan<<<blocks, kThreads>>>(d_in, d_out, d_scratch, d_scratch + blocks, d_scratch + 2 * blocks,
                                         d_scratch + 3 * blocks, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0, sum = 0; i < n; ++i) wrong += out[i] != (sum += in[i]);
    cudaFree(d_in), cudaFree(d_out), cudaFree(d_scratch);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
