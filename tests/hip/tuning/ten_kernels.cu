// Ten kernels, each with one access pattern that wastes bandwidth, lanes or banks on a 64-lane wavefront.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, charge;
  float fx, fy, fz, radius;
  float spin, age, kind, unused;
};

// 4 bytes a lane, one element a thread.
__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// 4 bytes a lane in a grid-stride loop.
__global__ void leaky_relu(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float v = in[i];
    out[i] = v > 0.0f ? v : 0.01f * v;
  }
}

// 1 byte a lane.
__global__ void threshold(const unsigned char* image, unsigned char* mask, unsigned char level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  mask[i] = image[i] >= level ? 255 : 0;
}

// An array of structs: lanes are 64 bytes apart.
__global__ void push(Particle* p, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float step = dt / p[i].mass;
  p[i].vx += step * p[i].fx;
  p[i].vy += step * p[i].fy;
  p[i].vz += step * p[i].fz;
  p[i].x += dt * p[i].vx;
  p[i].y += dt * p[i].vy;
  p[i].z += dt * p[i].vz;
  p[i].age += dt;
}

// Each thread reads a row of its own: lanes are 64 bytes apart.
__global__ void row_sums(const float* x, float* sums, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    float sum = 0.0f;
    for (int j = 0; j < 16; ++j) sum += x[i * 16 + j];
    sums[i] = sum;
  }
}

// Stores a column with each row that it reads.
__global__ void transpose(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// Reads a column for each row that it stores.
__global__ void add_transposed(const float* a, const float* b, float* sum, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  sum[y * width + x] = a[y * width + x] + b[x * height + y];
}

// Reads the columns of a tile whose rows all start in one bank.
__global__ void tiled_transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

// Blocks of 96 threads: a wavefront and a half.
__global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}

// Eight neighbouring blocks read the same row, each on another die.
__global__ void dot_rows(const float* table, const float* weights, float* out, int k) {
  float sum = 0.0f;
  for (int j = threadIdx.x; j < k; j += blockDim.x) {
    sum += table[blockIdx.y * k + j] * weights[blockIdx.x * k + j];
  }
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}

template <typename T>
T* filled(int n) {
  std::vector<T> host(n);
  unsigned state = 1;
  for (T& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<T>((state >> 24) + 1u);
  }
  T* device = nullptr;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <typename T>
double sum_of(const T* device, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0.0;
  for (T value : host) sum += static_cast<double>(value);
  return sum;
}

int main() {
  const int n = 5000, width = 70, height = 90;
  const int block = 96;
  float *x = filled<float>(16 * n), *y = filled<float>(n);
  saxpy<<<(n + 255) / 256, 256>>>(2.0f, x, y, n);
  std::printf("saxpy %g\n", sum_of(y, n));
  leaky_relu<<<5, 256>>>(x, y, n);
  std::printf("leaky_relu %g\n", sum_of(y, n));
  unsigned char *image = filled<unsigned char>(2 * n), *mask = filled<unsigned char>(2 * n);
  threshold<<<(2 * n + 1023) / 1024, 1024>>>(image, mask, 128, 2 * n);
  std::printf("threshold %g\n", sum_of(mask, 2 * n));
  push<<<(n / 4 + 255) / 256, 256>>>(reinterpret_cast<Particle*>(x), 0.5f, n / 4);
  std::printf("push %g\n", sum_of(x, 4 * n));
  row_sums<<<(n / 4 + 127) / 128, 128>>>(x, y, n / 4);
  std::printf("row_sums %g\n", sum_of(y, n / 4));
  dim3 tiles((width + 31) / 32, (height + 7) / 8);
  transpose<<<tiles, dim3(32, 8)>>>(x, x + 8 * n, width, height);
  std::printf("transpose %g\n", sum_of(x + 8 * n, width * height));
  dim3 squares((width + 15) / 16, (height + 15) / 16);
  add_transposed<<<squares, dim3(16, 16)>>>(x, x + 8 * n, x + 12 * n, width, height);
  std::printf("add_transposed %g\n", sum_of(x + 12 * n, width * height));
  dim3 blocks((width + 31) / 32, (height + 31) / 32);
  tiled_transpose<<<blocks, dim3(32, 8)>>>(x, x + 8 * n, width, height);
  std::printf("tiled_transpose %g\n", sum_of(x + 8 * n, width * height));
  scale<<<(n + block - 1) / block, block>>>(y, 3.0f, n);
  std::printf("scale %g\n", sum_of(y, n));
  dot_rows<<<dim3(8, 32), 64>>>(x, y, x + 8 * n, 300);
  std::printf("dot_rows %g\n", sum_of(x + 8 * n, 64 * 256));
  return cudaDeviceSynchronize() != cudaSuccess;
}
