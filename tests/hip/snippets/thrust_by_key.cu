// expect: builds
#include <cuda_runtime.h>
#include <thrust/adjacent_difference.h>
#include <thrust/device_ptr.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/unique.h>
int f(thrust::device_ptr<int> keys, thrust::device_ptr<int> values, thrust::device_ptr<int> out, int n) {
  thrust::inclusive_scan_by_key(keys, keys + n, values, out, thrust::equal_to<int>(), thrust::plus<int>());
  thrust::adjacent_difference(keys, keys + n, out, thrust::minus<int>());
  swap(values, out);
  const auto ends = thrust::unique_by_key_copy(keys, keys + n, values, keys, out);
  return int(ends.second - out) + cudaDeviceSynchronize();
}
