// What a CUDA program without libraries uses, each with its own check. No CUDA header is included on purpose.
#include "device.cuh"

__constant__ float weights[3] = {1.0f, 2.0f, 3.0f};
__device__ int device_counter;
extern __shared__ float dynamic_floats[];

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void reverse(int *data) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[t] = data[blockIdx.x * 128 + t];
  __syncthreads();
  data[blockIdx.x * 128 + t] = tile[127 - t];
}

template <class T, int rows>
__global__ void transpose(const T *in, T *out) {
  __shared__ T tile[rows][rows + 1], *rows_of_tile;
  rows_of_tile = &tile[0][0];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * rows + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * rows + threadIdx.x] = rows_of_tile[threadIdx.x * (rows + 1) + threadIdx.y];
}

__global__ void tree_sum(const float *x, float *out, int n) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  dynamic_floats[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) dynamic_floats[t] += dynamic_floats[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, dynamic_floats[0]);
}

__global__ void early_exit(int *out, int n) {
  if (int(threadIdx.x) >= n) return;
  out[threadIdx.x] = 1;
  __syncthreads();
  int next = out[(threadIdx.x + 1) % n];
  __syncthreads();
  out[threadIdx.x] += next;
}

__global__ void votes(int *out) {
  out[threadIdx.x] = __syncthreads_count(threadIdx.x < 5) + 100 * __syncthreads_and(1) +
                     1000 * __syncthreads_or(threadIdx.x == 63) + 10000 * __syncthreads_or(0);
}

struct Pair {
  int first;
  float second;
};
__global__ void structure(Pair pair, const float *scale, float *out) { out[0] = pair.first * pair.second * *scale * weights[2]; }

__global__ void overloaded(int *out) { out[0] = 1; }
__global__ void overloaded(float *out) { out[0] = 2.0f; }

namespace inner {
__global__ void scoped(int *out, int by = 7) { out[0] = by; }
}  // namespace inner

#define LAUNCH(kernel, grid, ...) kernel<<<grid, 64>>>(__VA_ARGS__)
#define CHECKED(call)                                                                  \
  do {                                                                                 \
    call;                                                                              \
    if (cudaGetLastError() != cudaSuccess) printf("FAIL launch\n"), ++failures;        \
  } while (0)

#if __CUDA_ARCH__ >= 700
__global__ void architecture(int *out) { out[0] = __CUDA_ARCH__; }
#endif

// 1 / x tells one zero from the other.
__global__ void extrema(const float *in, float *out) {
  float positive = in[0], negative = in[1], missing = in[2];
  double wide_positive = positive, wide_negative = negative;
  float found[] = {1 / fminf(positive, negative), 1 / fminf(negative, positive), 1 / fmaxf(positive, negative),
                   1 / fmaxf(negative, positive), 1 / min(positive, negative),   1 / max(negative, positive),
                   float(1 / fmin(wide_positive, wide_negative)), float(1 / fmax(wide_negative, wide_positive)),
                   fminf(missing, 3.0f), fmaxf(3.0f, missing)};
  for (int i = 0; i < 10; ++i) out[i] = found[i];
}

__global__ void count_threads() { atomicAdd(&device_counter, 1); }

void test_plain() {
  Buffer<float> x(1000, 2.0f), y(1000, 1.0f);
  saxpy<<<(1000 + 127) / 128, 128>>>(1000, 3.0, x.device, y.device);  // 3.0 converts to float once
  expect("saxpy", y.get()[999], 7.0f);
  fill(y, 4.0f);
  expect("fill", y.get()[500], 4.0f);
  Pair pair{6, 0.5f};
  structure<<<1, 1>>>(pair, x.device, y.device);
  expect("structure", y.get()[0], 18.0f);
}

void test_shared() {
  Buffer<int> data(256);
  std::vector<int> numbers(256);
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  data.put(numbers);
  reverse<<<2, 128>>>(data.device);
  expect("reverse", data.get()[0], 127);
  expect("reverse", data.get()[255], 128);
  Buffer<int> out(256);
  transpose<int, 16><<<1, dim3(16, 16)>>>(data.device, out.device);
  expect("transpose", out.get()[1], data.get()[16]);
  Buffer<float> ones(1000, 1.0f), sum(1);
  tree_sum
      <<<4, 256, 256 * sizeof(float)>>>
      (ones.device, sum.device, 1000);
  expect("tree_sum", sum.get()[0], 1000.0f);
  Buffer<int> few(64);
  early_exit<<<1, 64>>>(few.device, 10);
  expect("early_exit", few.get()[9], 2);
  votes<<<1, 64>>>(few.device);
  expect("votes", few.get()[63], 1105);
}

void test_launch_forms() {
  Buffer<int> integer(1);
  Buffer<float> real(1);
  overloaded<<<1, 1>>>(integer.device);
  overloaded<<<1, 1>>>(real.device);
  expect("overloaded", integer.get()[0], 1);
  expect("overloaded", real.get()[0], 2.0f);
  inner::scoped<<<1, 1>>>(integer.device);
  expect("default argument", integer.get()[0], 7);
  CHECKED((inner::scoped<<<1, 1>>>(integer.device, 8)));
  expect("in a macro argument", integer.get()[0], 8);
  LAUNCH(count_threads, 3);
  CHECKED(LAUNCH(count_threads, 1));
  void (*pointer)() = count_threads;
  (*pointer)<<<dim3(1, 2), 64>>>();
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, device_counter, sizeof counted);
  expect("counter", counted, 64 * 6);
  int by = 9;
  void *arguments[] = {&integer.device, &by};
  cudaLaunchKernel((const void *)inner::scoped, dim3(1), dim3(1), arguments, 0, 0);
  expect("cudaLaunchKernel", integer.get()[0], 9);
  architecture<<<1, 1>>>(integer.device);
  expect("device code", integer.get()[0] >= 700, true);
  float changed[3] = {0, 0, 10};
  cudaMemcpyToSymbol(weights, changed, sizeof changed);
  structure<<<1, 1>>>(Pair{1, 1.0f}, real.device, real.device);
  expect("symbol", real.get()[0], 20.0f);
}

void test_api() {
  expect("too many threads", int(cudaGetLastError()), 0);
  count_threads<<<1, 4096>>>();
  expect("too many threads", int(cudaPeekAtLastError()), int(cudaErrorInvalidConfiguration));
  expect("cleared", int(cudaGetLastError()), int(cudaErrorInvalidConfiguration));
  expect("cleared", int(cudaGetLastError()), 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  expect("warp size", properties.warpSize, warpSize);
  size_t pitch;
  char *pitched;
  cudaMallocPitch(&pitched, &pitch, 100, 4);
  std::vector<char> rows(400, 'x'), back(400);
  cudaMemcpy2D(pitched, pitch, rows.data(), 100, 100, 4, cudaMemcpyHostToDevice);
  cudaMemcpy2D(back.data(), 100, pitched, pitch, 100, 4, cudaMemcpyDeviceToHost);
  expect("2-D copy", int(back[399]), int('x'));
  expect("copy past the end", int(cudaMemcpy(back.data(), pitched, pitch * 5, cudaMemcpyDeviceToHost)),
         int(cudaErrorInvalidValue));
  expect("double free", int(cudaFree(pitched)) + 10 * int(cudaFree(pitched)), 10);
}

int main() {
  test_plain();
  test_shared();
  test_launch_forms();
  test_api();
  Buffer<float> operands(3), extremes(10);
  operands.put({0.0f, -0.0f, NAN});
  extrema<<<1, 1>>>(operands.device, extremes.device);
  const float wanted_extremes[] = {-INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, 3, 3};
  for (int i = 0; i < 10; ++i) expect("extrema", extremes.get()[i], wanted_extremes[i]);
  return finish();
}
