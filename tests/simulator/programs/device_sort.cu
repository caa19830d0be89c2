// The same of CUB's, and a host's own read behind it, which is found.
#include <cub/cub.cuh>

#include "checks.h"

int main(int argc, char **) {
  int *keys, *sorted;
  void *temporary = nullptr;
  size_t bytes = 0;
  cudaMalloc(&keys, 400), cudaMalloc(&sorted, 400);
  cudaMemset(keys, 0, 400);
  cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, sorted, 100);
  cudaMalloc(&temporary, bytes);
  cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, sorted, 100);
  if (argc > 1) expect("read", sorted[3], 0);  // the host's own
  cudaFree(keys), cudaFree(sorted), cudaFree(temporary);
  return finish();
}
