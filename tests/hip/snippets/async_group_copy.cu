// expect: refused, API020 7
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* g) {
  __shared__ float s[64]; cg::memcpy_async(cg::this_thread_block(), s, g, sizeof(s));
  g[0] = s[0];
}
