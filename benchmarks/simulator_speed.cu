// Three kernels and the same work as plain loops, timed in one run. Each line: name, elapsed and CPU milliseconds
// of the simulator, CPU milliseconds of the loop; means. The last line: resident KiB that a suspended thread costs.
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

constexpr int n = 1 << 20, threads = 256;

__global__ void add(const float *x, const float *y, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}
__global__ void reverse(const float *x, float *out) {
  __shared__ float tile[threads];
  tile[threadIdx.x] = x[blockIdx.x * threads + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
}
__global__ void reduce(const float *x, float *out) {
  float v = x[blockIdx.x * threads + threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * threads + threadIdx.x) / 32] = v;
}

double now_ms(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

// Mean over enough repetitions for a quarter of a second, after one that warms up: CPU time may come in ticks of
// some milliseconds.
template <class Work>
double mean_ms(clockid_t clock, Work work) {
  work();
  double start = now_ms(clock), end;
  int repetitions = 0;
  do {
    work();
    asm volatile("" ::"g"(&work) : "memory");  // the loops' results count as used
    ++repetitions;
    end = now_ms(clock);
  } while (end - start < 250 || repetitions < 5);
  return (end - start) / repetitions;
}

template <class Kernel, class Loop>
void compare(const char *name, Kernel kernel, Loop loop) {
  double elapsed = mean_ms(CLOCK_MONOTONIC, kernel);
  double busy = mean_ms(CLOCK_PROCESS_CPUTIME_ID, kernel);
  printf("%s %.3f %.3f %.3f\n", name, elapsed, busy, mean_ms(CLOCK_PROCESS_CPUTIME_ID, loop));
}

long peak_kib() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main() {
  std::vector<float> hx(n, 1.0f), hy(n, 2.0f), ho(n);
  float *x, *y, *out;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(x, hx.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, hy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  float *px = hx.data(), *py = hy.data(), *po = ho.data();
  compare("vector-add", [=] { add<<<n / threads, threads>>>(x, y, out); }, [=] {
    for (int i = 0; i < n; ++i) po[i] = px[i] + py[i];
  });
  long before = peak_kib();
  compare("barrier-reverse", [=] { reverse<<<n / threads, threads>>>(x, out); }, [=] {
    for (int b = 0; b < n; b += threads) {
      float tile[threads];
      for (int t = 0; t < threads; ++t) tile[t] = px[b + t];
      for (int t = 0; t < threads; ++t) po[b + t] = tile[threads - 1 - t];
    }
  });
  double suspended = double(threads) * sysconf(_SC_NPROCESSORS_ONLN);
  double kib_a_thread = (peak_kib() - before) / suspended;
  compare("shuffle-reduction", [=] { reduce<<<n / threads, threads>>>(x, out); }, [=] {
    for (int w = 0; w < n; w += 32) {
      float lanes[32];
      for (int t = 0; t < 32; ++t) lanes[t] = px[w + t];
      for (int offset = 16; offset > 0; offset >>= 1) {
        for (int t = 0; t < offset; ++t) lanes[t] += lanes[t + offset];
      }
      po[w / 32] = lanes[0];
    }
  });
  printf("memory %.1f\n", kib_a_thread);
  for (float *memory : {x, y, out}) cudaFree(memory);
  return po[0] != 32.0f;
}
