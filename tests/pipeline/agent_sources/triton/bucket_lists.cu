// Declined: memory from the device's heap. Every block sorts its slice of keys into buckets that are linked lists of
// allocated nodes, under a lock a bucket, and then walks the lists: counts, sums and largest keys of each bucket.
#include <cstdio>
#include <vector>

constexpr int kThreads = 64;
constexpr int kBuckets = 16;

struct Item {
    int key;
    float value;
    Item* next;
};

struct Summary {
    int count;
    int largest;
};

__device__ inline int bucket_of(int key)
{
    unsigned mixed = static_cast<unsigned>(key) * 2654435761u;
    mixed ^= mixed >> 15;
    return mixed % kBuckets;
}

__global__ void bucket_lists(const int* keys, const float* values, Summary* summaries, float* sums, int n)
{
    __shared__ unsigned long long heads[kBuckets];
    __shared__ Item* items[kThreads];
    if (threadIdx.x < kBuckets) heads[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * kThreads + threadIdx.x;
    Item* item = nullptr;
    if (i < n) {
        item = static_cast<Item*>(malloc(sizeof(Item)));
        item->key = keys[i];
        item->value = values[i];
    }
    items[threadIdx.x] = item;
    __syncthreads();
    // The lists are built in the order of the threads, so that sums do not depend on who came first.
    if (threadIdx.x == 0) {
        for (int t = kThreads - 1; t >= 0; --t) {
            if (items[t] == nullptr) continue;
            const int bucket = bucket_of(items[t]->key);
            items[t]->next = reinterpret_cast<Item*>(heads[bucket]);
            heads[bucket] = reinterpret_cast<unsigned long long>(items[t]);
        }
    }
    __syncthreads();
    if (threadIdx.x < kBuckets) {
        Summary own = {0, -2147483647 - 1};
        float sum = 0.0f;
        for (Item* at = reinterpret_cast<Item*>(heads[threadIdx.x]); at != nullptr; at = at->next) {
            ++own.count;
            own.largest = max(own.largest, at->key);
            sum += at->value;
        }
        summaries[blockIdx.x * kBuckets + threadIdx.x] = own;
        sums[blockIdx.x * kBuckets + threadIdx.x] = sum;
    }
    __syncthreads();
    free(item);
}

static int bucket_on_host(int key)
{
    unsigned mixed = static_cast<unsigned>(key) * 2654435761u;
    mixed ^= mixed >> 15;
    return mixed % kBuckets;
}

int main()
{
    const int n = 300, blocks = (n + kThreads - 1) / kThreads;
    std::vector<int> keys(n);
    std::vector<float> values(n), sums(blocks * kBuckets);
    std::vector<Summary> summaries(blocks * kBuckets);
    for (int i = 0; i < n; ++i) keys[i] = i * 7919 % 1009 - 500, values[i] = float(i % 9) * 0.25f;
    int* d_keys;
    float *d_values, *d_sums;
    Summary* d_summaries;
    cudaMalloc(&d_keys, n * sizeof(int));
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMalloc(&d_summaries, summaries.size() * sizeof(Summary));
    cudaMalloc(&d_sums, sums.size() * sizeof(float));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    bucket_lists<<<blocks, kThreads>>>(d_keys, d_values, d_summaries, d_sums, n);
    cudaMemcpy(summaries.data(), d_summaries, summaries.size() * sizeof(Summary), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int block = 0; block < blocks; ++block) {
        for (int bucket = 0; bucket < kBuckets; ++bucket) {
            int count = 0, largest = -2147483647 - 1;
            float sum = 0.0f;
            for (int i = block * kThreads; i < n && i < (block + 1) * kThreads; ++i) {
                if (bucket_on_host(keys[i]) != bucket) continue;
                ++count;
                largest = keys[i] > largest ? keys[i] : largest;
                sum += values[i];
            }
            const Summary& got = summaries[block * kBuckets + bucket];
            wrong += got.count != count || got.largest != largest || sums[block * kBuckets + bucket] != sum;
        }
    }
    cudaFree(d_keys), cudaFree(d_values), cudaFree(d_summaries), cudaFree(d_sums);
    std::printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
