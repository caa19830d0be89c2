// Declined: recursion. The nearest sphere that each ray hits, found in a tree of boxes by a function that calls
// itself: the nearer child first, and boxes behind the best hit are left out.
#include <cmath>
#include <cstdio>
#include <vector>

struct Node {
    float low[3], high[3];
    int left, right;   // children; right < 0: a leaf
    int first, count;  // spheres of a leaf
};

struct Ray {
    float origin[3], direction[3];
};

struct Hit {
    float distance;
    int sphere;
};

__device__ inline float enters(const Node& node, const Ray& ray, float far)
{
    float near = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        const float inverse = 1.0f / ray.direction[axis];
        const float a = (node.low[axis] - ray.origin[axis]) * inverse;
        const float b = (node.high[axis] - ray.origin[axis]) * inverse;
        near = fmaxf(near, fminf(a, b));
        far = fminf(far, fmaxf(a, b));
    }
    return near <= far ? near : -1.0f;
}

__device__ inline float meets(const float* sphere, const Ray& ray)
{
    float along = 0.0f, square = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        const float to = sphere[axis] - ray.origin[axis];
        along += to * ray.direction[axis];
        square += to * to;
    }
    const float under = along * along - square + sphere[3] * sphere[3];
    if (under < 0.0f) return -1.0f;
    const float distance = along - sqrtf(under);
    return distance > 0.0f ? distance : -1.0f;
}

__device__ void descend(const Node* nodes, const float* spheres, int at, const Ray& ray, Hit& best)
{
    const Node& node = nodes[at];
    if (enters(node, ray, best.distance) < 0.0f) return;
    if (node.right < 0) {
        for (int s = node.first; s < node.first + node.count; ++s) {
            const float distance = meets(spheres + 4 * s, ray);
            if (distance > 0.0f && distance < best.distance) best = {distance, s};
        }
        return;
    }
    const float left = enters(nodes[node.left], ray, best.distance);
    const float right = enters(nodes[node.right], ray, best.distance);
    const bool swap = right >= 0.0f && (left < 0.0f || right < left);
    descend(nodes, spheres, swap ? node.right : node.left, ray, best);
    descend(nodes, spheres, swap ? node.left : node.right, ray, best);
}

__global__ void bvh_closest(const Node* nodes, const float* spheres, const float* origins, const float* directions,
                            float* distances, int* found, int rays)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    Ray ray;
    for (int axis = 0; axis < 3; ++axis) {
        ray.origin[axis] = origins[3 * i + axis];
        ray.direction[axis] = directions[3 * i + axis];
    }
    Hit best = {1e30f, -1};
    descend(nodes, spheres, 0, ray, best);
    distances[i] = best.distance;
    found[i] = best.sphere;
}

static int build(std::vector<Node>& nodes, const std::vector<float>& spheres, int first, int count)
{
    const int at = int(nodes.size());
    nodes.push_back({});
    Node node = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, -1, -1, first, count};
    for (int s = first; s < first + count; ++s) {
        for (int axis = 0; axis < 3; ++axis) {
            node.low[axis] = std::fmin(node.low[axis], spheres[4 * s + axis] - spheres[4 * s + 3]);
            node.high[axis] = std::fmax(node.high[axis], spheres[4 * s + axis] + spheres[4 * s + 3]);
        }
    }
    if (count > 2) {
        node.left = build(nodes, spheres, first, count / 2);
        node.right = build(nodes, spheres, first + count / 2, count - count / 2);
    }
    nodes[at] = node;
    return at;
}

int main()
{
    const int count = 17, rays = 100;
    std::vector<float> spheres, origins, directions;
    for (int s = 0; s < count; ++s) {
        const float place[4] = {float(s) - 8.0f, float(s * 5 % 7) - 3.0f, float(s * 3 % 5) + 4.0f, 0.9f};
        spheres.insert(spheres.end(), place, place + 4);
    }
    for (int r = 0; r < rays; ++r) {
        const float x = (float(r % 10) - 4.4f) * 0.21f, y = (float(r / 10) - 4.6f) * 0.11f;
        const float length = std::sqrt(x * x + y * y + 1.0f);
        for (const float v : {0.1f, -0.2f, -3.0f}) origins.push_back(v);
        for (const float v : {x / length, y / length, 1.0f / length}) directions.push_back(v);
    }
    std::vector<Node> nodes;
    build(nodes, spheres, 0, count);
    Node* d_nodes;
    float *d_spheres, *d_origins, *d_directions, *d_distances;
    int* d_found;
    cudaMalloc(&d_nodes, nodes.size() * sizeof(Node));
    cudaMalloc(&d_spheres, spheres.size() * sizeof(float));
    cudaMalloc(&d_origins, origins.size() * sizeof(float));
    cudaMalloc(&d_directions, directions.size() * sizeof(float));
    cudaMalloc(&d_distances, rays * sizeof(float));
    cudaMalloc(&d_found, rays * sizeof(int));
    cudaMemcpy(d_nodes, nodes.data(), nodes.size() * sizeof(Node), cudaMemcpyHostToDevice);
    cudaMemcpy(d_spheres, spheres.data(), spheres.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_origins, origins.data(), origins.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_directions, directions.data(), directions.size() * sizeof(float), cudaMemcpyHostToDevice);
    bvh_closest<<<(rays + 31) / 32, 32>>>(d_nodes, d_spheres, d_origins, d_directions, d_distances, d_found, rays);
    std::vector<float> distances(rays);
    std::vector<int> found(rays);
    cudaMemcpy(distances.data(), d_distances, rays * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(found.data(), d_found, rays * sizeof(int), cudaMemcpyDeviceToHost);
    int hits = 0, wrong = 0;
    for (int r = 0; r < rays; ++r) {
        hits += found[r] >= 0;
        wrong += (found[r] >= 0) != (distances[r] < 1e29f) || found[r] >= count;
    }
    cudaFree(d_nodes), cudaFree(d_spheres), cudaFree(d_origins), cudaFree(d_directions), cudaFree(d_distances);
    cudaFree(d_found);
    std::printf("%s %d\n", wrong || hits == 0 ? "FAIL" : "PASS", hits);
    return wrong || hits == 0;
}
