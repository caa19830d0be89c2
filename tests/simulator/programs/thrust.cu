// Thrust's algorithms on device vectors and on the simulator's memory; each check names itself when it fails.
#include <cstdio>

#include <cuda/std/complex>
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#ifndef __CUDACC__
#error "the program's own code is CUDA's"
#endif

static int failures;
static void check(bool good, const char *what) {
  if (!good) ++failures, printf("%s failed\n", what);
}

__global__ void increment(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Dot {
  template <class Pair>
  __host__ __device__ int operator()(const Pair &p) const {
    return thrust::get<0>(p) * thrust::get<1>(p);
  }
};

int main() {
  const int n = 1000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 1009;
  thrust::device_vector<int> values = host;
  thrust::sort(thrust::cuda::par.on(stream), values.begin(), values.end());
  bool ordered = true;
  for (int i = 1; i < n; ++i) ordered &= values[i - 1] < values[i];
  check(ordered, "sort");
  int *raw = thrust::raw_pointer_cast(values.data()), first;
  increment<<<4, 256, 0, stream>>>(raw, n);
  cudaError_t status = cudaMemcpy(&first, raw, 4, cudaMemcpyDeviceToHost);
  check(status == cudaSuccess && first == 1, "a kernel and a copy on a vector's memory");
  check(thrust::reduce(values.begin(), values.end()) == [&] { int s = n; for (int v : host) s += v; return s; }(), "reduce");
  thrust::device_vector<int> out(n);
  thrust::sequence(out.begin(), out.end());
  thrust::exclusive_scan(thrust::device, out.begin(), out.end(), out.begin());
  check(out[n - 1] == (n - 1) * (n - 2) / 2, "exclusive_scan");
  auto counting = thrust::make_counting_iterator(0);
  auto doubled = thrust::make_transform_iterator(counting, [] __host__ __device__(int x) { return 2 * x; });
  thrust::device_vector<int> odd(n);
  auto end = thrust::copy_if(counting, counting + n, odd.begin(), IsOdd());
  check(end - odd.begin() == n / 2 && odd[1] == 3, "copy_if");
  check(thrust::count_if(thrust::cuda::par, odd.begin(), end, IsOdd()) == n / 2, "count_if");
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(counting, doubled));
  check(thrust::transform_reduce(zipped, zipped + 10, Dot(), 0, thrust::plus<int>()) == 2 * 285, "zip and transform_reduce");
  thrust::device_vector<int> keys(6), items(6);
  int key_values[] = {3, 1, 3, 2, 1, 1};
  thrust::copy(key_values, key_values + 6, keys.begin());
  thrust::sequence(items.begin(), items.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), items.begin());
  check(items[0] == 1 && items[1] == 4 && items[2] == 5 && items[5] == 2, "sort_by_key");
  thrust::device_vector<int> sums(3), names(3);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), items.begin(), names.begin(), sums.begin());
  check(ends.first - names.begin() == 3 && sums[0] == 10 && sums[2] == 2, "reduce_by_key");
  check(thrust::unique(keys.begin(), keys.end()) - keys.begin() == 3, "unique");
  thrust::transform(keys.begin(), keys.begin() + 3, items.begin(), keys.begin(), thrust::multiplies<int>());
  check(keys[2] == 3 * 5, "transform");
  thrust::device_ptr<float> memory = thrust::device_malloc<float>(4);
  thrust::fill(memory, memory + 4, 2.5f);
  float copied[4];
  status = cudaMemcpy(copied, thrust::raw_pointer_cast(memory), sizeof copied, cudaMemcpyDeviceToHost);
  check(status == cudaSuccess && copied[3] == 2.5f, "device_malloc");
  thrust::device_free(memory);
  int *plain;
  cudaMalloc(&plain, 4 * sizeof(int));
  thrust::device_ptr<int> wrapped(plain);
  thrust::sequence(wrapped, wrapped + 4, 7);
  check(thrust::reduce(wrapped, wrapped + 4) == 34, "device_ptr");
  cudaFree(plain);
  cuda::std::complex<float> z(3, 4);
  check(abs(z) == 5.f, "cuda::std::complex");
  cudaStreamDestroy(stream);
  if (!failures) printf("all passed\n");
  return failures;
}
