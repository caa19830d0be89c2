// PTX that macros put together: from parameters, through another macro, in two branches, and from a macro's string.
#include "checks.h"

#define LOAD_OP "add.s32"
#ifdef NEVER
#define BINARY(name, type, letter, c_type, op)                          \
  __device__ c_type name(c_type a, c_type b) {                          \
    c_type r;                                                           \
    asm("wgmma." #op "." #type " %0, %1, %2;" : "=" #letter(r) : #letter(a), #letter(b)); \
    return r;                                                           \
  }
#else
#define BINARY(name, type, letter, c_type, op)                          \
  __device__ c_type name(c_type a, c_type b) {                          \
    c_type r;                                                           \
    asm("{ .reg ." #type " t; " #op "." #type " t, %1, %2;"             \
        "mov." #type " %0, t; }" : "=" #letter(r) : #letter(a), #letter(b)); \
    return r;                                                           \
  }
#endif
#define BOTH(op, tag) BINARY(tag##_float, f32, f, float, op) BINARY(tag##_wide, s64, l, long long, op)

BINARY(larger, u32, r, unsigned, max)
BOTH(add, sum)
BOTH(min, least)

#define NEXT(direction, out, in) \
  asm volatile("shfl.sync." #direction ".b32 %0, %1, 1, %2, -1;" : "=r"(out) : "r"(in), "r"(#direction[0] == 'u' ? 0 : 31))

__global__ void all(double *out) {
  int lane = threadIdx.x, up, down, added;
  NEXT(up, up, lane);
  NEXT(down, down, lane);
  asm(LOAD_OP " %0, %1, %2;" : "=r"(added) : "r"(up), "r"(100));
  if (lane != 5) return;
  out[0] = larger(3, 4000000000u);
  out[1] = sum_float(1.5f, 2.25f);
  out[2] = double(sum_wide(1ll << 40, 5));
  out[3] = least_float(-1.0f, 2.0f);
  out[4] = double(least_wide(-7, 3));
  out[5] = up, out[6] = down, out[7] = added;
}

int main() {
  double *out;
  cudaMallocManaged(&out, 8 * sizeof *out);
  all<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const double expected[] = {4000000000.0, 3.75, 1099511627781.0, -1, -7, 4, 6, 104};
  for (int i = 0; i < 8; ++i) expect("result", out[i], expected[i]);
  return finish();
}
