// Device-wide algorithms run in the host's code here: under the checks their accesses are the device's.
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include "checks.h"

int main() {
  thrust::device_vector<int> keys(100);
  int *raw = thrust::raw_pointer_cast(keys.data());
  thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(100),
                   [raw] __device__(int i) { raw[i] = i * 37 % 100; });
  thrust::sort(keys.begin(), keys.end());
  for (int i = 0; i < 100; ++i) expect("sorted", int(keys[i]), i);
  try {
    throw thrust::system_error(cudaErrorMemoryAllocation, thrust::cuda_category());
  } catch (const thrust::system_error &) {
    return finish();
  }
}
