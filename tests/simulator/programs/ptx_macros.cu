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
  unsigned word, zero = 0;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(word) : "r"(0x01ff0a05u), "r"(0x02000f05u), "r"(1000)); out[8] = word;
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(word) : "r"(0x01ff0a05u), "r"(0x02020f05u), "r"(zero)); out[9] = word;
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(word) : "r"(0x01ff0a05u), "r"(0x02020f05u), "r"(zero)); out[10] = word;
  asm("vsub2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(word) : "r"(0x80000003u), "r"(0x00010005u), "r"(zero)); out[11] = word;
  asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(word) : "r"(0xffff0003u), "r"(0x00010002u), "r"(zero)); out[12] = word;
  asm("vmax4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(word) : "r"(0xff010203u), "r"(0x01020304u), "r"(1)); out[13] = word;
  out[0] = larger(3, 4000000000u);
  out[1] = sum_float(1.5f, 2.25f);
  out[2] = double(sum_wide(1ll << 40, 5));
  out[3] = least_float(-1.0f, 2.0f);
  out[4] = double(least_wide(-7, 3));
  out[5] = up, out[6] = down, out[7] = added;
}

int main() {
  double *out;
  cudaMallocManaged(&out, 14 * sizeof *out);
  all<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const double expected[] = {4000000000.0, 3.75, 1099511627781.0, -1, -7, 4, 6, 104,
                             1000 + 1 + 255 + 5, 0x0301190au, 0x03ff190au, 0x8000fffeu, 0xffff0002u, 1 + 255 + 2 + 3 + 4};
  for (int i = 0; i < 14; ++i) expect("result", out[i], expected[i]);
  return finish();
}
