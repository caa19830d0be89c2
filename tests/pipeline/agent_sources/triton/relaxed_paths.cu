// Declined: a barrier of the whole grid. Shortest paths from one node by rounds of relaxations (Bellman-Ford) in one
// cooperative launch; the rounds end once none changes a distance, which all blocks learn from a flag.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kFar = 1 << 29;
constexpr int kThreads = 64;

struct Edge {
    int from, to, length;
};

// Edges to nodes that are not there are left out.
__device__ inline bool relax(const Edge& edge, const int* now, int* next, int nodes)
{
    if (edge.from < 0 || edge.from >= nodes || edge.to < 0 || edge.to >= nodes) return false;
    const int start = now[edge.from];
    if (start >= kFar) return false;
    const int through = start + edge.length;
    return through < atomicMin(&next[edge.to], through) && through < now[edge.to];
}

// distances has room for two rounds; rounds gets the number of rounds that changed something. Edges without a negative
// cycle; lengths between -1000 and 1000.
__global__ void relaxed_paths(const Edge* edges, int* distances, int* changed, int* rounds, int nodes, int count,
                              int source)
{
    const cg::grid_group grid = cg::this_grid();
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (int v = first; v < nodes; v += stride) distances[v] = distances[nodes + v] = v == source ? 0 : kFar;
    if (first < 2) changed[first] = 0;
    grid.sync();
    int round = 0;
    while (round < nodes) {
        int* now = distances + round % 2 * nodes;
        int* next = distances + (1 - round % 2) * nodes;
        bool own = false;
        for (int e = first; e < count; e += stride) own |= relax(edges[e], now, next, nodes);
        if (__syncthreads_or(own) && threadIdx.x == 0) atomicExch(&changed[round % 2], 1);
        grid.sync();
        const int any = changed[round % 2];
        if (first == 0) changed[1 - round % 2] = 0;
        // The older half catches up, so that the next round starts from the least of both.
        for (int v = first; v < nodes; v += stride) now[v] = min(now[v], next[v]);
        grid.sync();
        if (any == 0) break;
        ++round;
    }
    if (first == 0) *rounds = round;
}

int main()
{
    const int nodes = 120, source = 2;
    std::vector<Edge> edges;
    unsigned state = 7;
    auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
    for (int v = 0; v + 1 < nodes; v += 2) edges.push_back({v, v + 1, int(random() % 20) + 1});
    for (int e = 0; e < 300; ++e) {
        const int from = int(random() % nodes), to = int(random() % nodes);
        // Negative only upwards, and the way down is long: no negative cycles.
        edges.push_back({from, to, from < to ? int(random() % 30) - 4 : 500 + int(random() % 50)});
    }
    const int count = int(edges.size());
    Edge* d_edges;
    int *d_distances, *d_changed, *d_rounds;
    cudaMalloc(&d_edges, edges.size() * sizeof(Edge));
    cudaMalloc(&d_distances, 2 * nodes * sizeof(int));
    cudaMalloc(&d_changed, 2 * sizeof(int));
    cudaMalloc(&d_rounds, sizeof(int));
    cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice);
    int n = nodes, m = count, s = source;
    void* arguments[] = {&d_edges, &d_distances, &d_changed, &d_rounds, &n, &m, &s};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(relaxed_paths), dim3(3), dim3(kThreads), arguments, 0, nullptr);
    std::vector<int> distances(2 * nodes);
    int rounds = 0;
    cudaMemcpy(distances.data(), d_distances, distances.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&rounds, d_rounds, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> expected(nodes, kFar);
    expected[source] = 0;
    for (int round = 0; round < nodes; ++round)
        for (const Edge& e : edges)
            if (expected[e.from] < kFar && expected[e.from] + e.length < expected[e.to])
                expected[e.to] = expected[e.from] + e.length;
    int wrong = 0;
    for (int v = 0; v < nodes; ++v) wrong += distances[v] != expected[v];
    cudaFree(d_edges), cudaFree(d_distances), cudaFree(d_changed), cudaFree(d_rounds);
    std::printf("%s\n", wrong || rounds == 0 ? "FAIL" : "PASS");
    return wrong || rounds == 0;
}
