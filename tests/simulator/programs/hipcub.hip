// CUB's parts under HIP's names.
#include <hipcub/hipcub.hpp>
#include <hip/hip_runtime.h>

#define CUB hipcub
#define GPU(name) hip##name
#include "cub_core.h"

int main() {
  check_block_parts<64>();
  check_block_parts<16>();
  check_device_parts();
  if (!failures) printf("all passed\n");
  return failures;
}
