// CUB's parts under CUDA's names.
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#define CUB cub
#define GPU(name) cuda##name
#include "cub_core.h"

int main() {
  check_block_parts<32>();
  check_block_parts<8>();
  check_device_parts();
  if (!failures) printf("all passed\n");
  return failures;
}
