// Inline PTX: one check an instruction form, against values from the PTX ISA's definitions.
#include <cuda_fp16.h>

#include "device.cuh"

__device__ void require(bool right, int line, int *wrong) {
  if (!right) atomicCAS(wrong, 0, line);
}
#define REQUIRE(condition) require(condition, __LINE__, wrong)

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void integers(int *wrong) {
  unsigned lane, warp, below, a = 0x12345678u, b = 0x9abcdef0u, r, high;
  int s;
  unsigned long long w, x = 0x123456789abcdef0ull;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  lane = lane_id();
  REQUIRE(lane == threadIdx.x % 32 && warp == threadIdx.x / 32 && below == (1u << lane) - 1);
  asm("mov.u32 %0, %%tid.x;\n\tadd.s32 %0, %0, 5;" : "=r"(r));
  REQUIRE(r == threadIdx.x + 5);
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  REQUIRE(r == a * b);
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(int(a)), "r"(int(b)));
  REQUIRE(s == int((long long)int(a) * int(b) >> 32));
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(a), "r"(b), "l"(x));
  REQUIRE(w == (unsigned long long)a * b + x);
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(w) : "r"(int(b)), "r"(3));
  REQUIRE((long long)w == (long long)int(b) * 3);
  // 64-bit addition by halves, in one statement and in two.
  asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;" : "=r"(r), "=r"(high) : "r"(b), "r"(1u), "r"(b), "r"(2u));
  REQUIRE(((unsigned long long)high << 32 | r) == (1ull << 32 | b) + (2ull << 32 | b));
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(1u), "r"(2u));
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(high) : "r"(7u), "r"(2u));
  REQUIRE(r == ~0u && high == 4);
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;" : "=r"(r), "=r"(high) : "r"(a), "r"(b), "r"(b));
  REQUIRE(((unsigned long long)high << 32 | r) == (unsigned long long)a * b + b);
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(0xff00ff00u));
  REQUIRE(r == ((a & b) | (a & 0xff00ff00u) | (b & 0xff00ff00u)));
  asm("bfe.u32 %0, %1, 8, 12;" : "=r"(r) : "r"(a));
  REQUIRE(r == 0x456u);
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(b), "n"(28), "r"(8));
  REQUIRE(s == -7);  // 0x9 with its sign
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(0xabu), "r"(a));
  REQUIRE(r == 0x12345ab8u);
  asm("shf.l.wrap.b32 %0, %1, %2, 36;" : "=r"(r) : "r"(a), "r"(b));
  REQUIRE(r == (b << 4 | a >> 28));
  asm("prmt.b32 %0, %1, %2, 0x3715;" : "=r"(r) : "r"(a), "r"(b));
  REQUIRE(r == 0x129a56deu);
  asm("popc.b64 %0, %1;" : "=r"(r) : "l"(x));
  asm("clz.b32 %0, %1;" : "=r"(high) : "r"(0x00800000u));
  REQUIRE(r == 32u && high == 8u);
  asm("brev.b32 %0, %1; bfind.s32 %2, %3;" : "=&r"(r), "+r"(a), "=r"(high) : "r"(-5));
  REQUIRE(high == 2u);
  asm("shr.s32 %0, %1, 40;" : "=r"(s) : "r"(-5));
  asm("shl.b32 %0, %1, 40;" : "=r"(r) : "r"(-5));
  REQUIRE(s == -1 && r == 0);
  asm("dp4a.s32.u32 %0, %1, %2, 3;" : "=r"(s) : "r"(0xff02fe01u), "r"(0x04030201u));
  REQUIRE(s == 3 + 1 - 4 + 6 - 4);
  unsigned below_ten;
  asm("{ .reg .pred p; setp.lt.u32 p, %1, 10; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(below_ten) : "r"(lane));
  REQUIRE(below_ten == 0x3ffu);
}

__global__ void integers_checked(int *wrong) {
  int s;
  unsigned r, lane = threadIdx.x % 32;
  asm("{\n\t.reg .pred p, q;\n\tsetp.gt.s32 p|q, %1, 4;\n\tselp.s32 %0, 10, 20, p;\n\t@q add.s32 %0, %0, 1;\n}"
      : "=r"(s)
      : "r"(3));
  REQUIRE(s == 21);
  // A loop with a label.
  asm("{\n\t.reg .pred p;\n\tmov.u32 %0, 0;\nAGAIN:\n\tadd.u32 %0, %0, 3;\n\tsetp.lt.u32 p, %0, 10;\n\t@p bra AGAIN;\n}"
      : "=r"(r));
  REQUIRE(r == 12);
  unsigned long long pair;
  unsigned low, high;
  asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "r"(7u), "r"(9u));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(pair));
  REQUIRE(pair == (9ull << 32 | 7) && low == 7 && high == 9);
  asm("min.s32 %0, %1, -4; max.s32 %0, %0, %2;" : "=&r"(s) : "r"(3), "r"(-9));
  REQUIRE(s == -4);
  int inside;
  asm("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1f, 0xffffffff; selp.s32 %1, 1, 0, p; }"
      : "=r"(r), "=r"(inside)
      : "r"(lane));
  REQUIRE(r == (lane < 29 ? lane + 3 : lane) && inside == (lane < 29));
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(lane), "r"(1), "r"(0x1f), "r"(0xffffffff));
  REQUIRE(r == (lane ^ 1));
  asm volatile("shfl.sync.up.b32 %0, %1, 2, 0x1800, -1;" : "=r"(r) : "r"(lane));  // segments of 8
  REQUIRE(r == (lane % 8 >= 2 ? lane - 2 : lane));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane / 8));
  REQUIRE(r == 0xffu << lane / 8 * 8);
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(s) : "r"(-int(lane)));
  REQUIRE(s == -496);
  asm volatile("activemask.b32 %0;" : "=r"(r));
  REQUIRE(r == ~0u);
  asm volatile("bar.warp.sync 0xffffffff;");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.x / 32), "r"(32) : "memory");
  asm volatile("membar.gl; fence.acq_rel.gpu; nanosleep.u32 20;");
  unsigned long long t0, t1;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
  REQUIRE(t1 >= t0);
  asm volatile("" ::: "memory");
}

__global__ void floats(int *wrong) {
  float f;
  double d;
  unsigned r;
  int s;
  unsigned short h;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(3.0f), "f"(5.0f), "f"(0.5f));
  REQUIRE(f == 15.5f);
  asm("add.rz.f32 %0, %1, %2;" : "=f"(f) : "f"(16777216.0f), "f"(1.5f));
  REQUIRE(f == 16777216.0f);
  asm("add.rp.f32 %0, %1, 0f3F800000;" : "=f"(f) : "f"(16777216.0f));
  REQUIRE(f == 16777218.0f);
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(1e-30f), "f"(1e-10f));
  REQUIRE(f == 0.0f);
  asm("add.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(0.75f), "f"(0.5f));
  REQUIRE(f == 1.0f);
  asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(__int_as_float(0x7fc00000)), "f"(-2.0f));
  REQUIRE(f == -2.0f);
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(3.0f));
  REQUIRE(f == 8.0f);
  asm("lg2.approx.f32 %0, %1; rcp.approx.ftz.f32 %0, %0;" : "=f"(f) : "f"(16.0f));
  REQUIRE(f == 0.25f);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(4.0f));
  REQUIRE(f == 0.5f);
  asm("sqrt.rn.f64 %0, %1;" : "=d"(d) : "d"(2.0));
  REQUIRE(d == sqrt(2.0));
  asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(0.0f));
  REQUIRE(f == 0.0f);
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(2.5f));
  REQUIRE(s == 2);
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(-3.0f));
  REQUIRE(r == 0u);
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(-7));
  REQUIRE(f == -7.0f);
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(1.5f));
  REQUIRE(h == 0x3e00);
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  REQUIRE(f == 1.5f);
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(2.0f), "f"(1.0f));
  REQUIRE(r == 0x40003c00u);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(2.0f), "f"(-1.0f));
  REQUIRE(r == 0x4000bf80u);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(1.00048828125f));
  REQUIRE(__uint_as_float(r) == 1.0009765625f);
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(1000.0f), "f"(1.0f));
  REQUIRE(h == 0x7e38);
  asm("cvt.u8.u32 %0, %1; cvt.sat.s8.s32 %0, %2;" : "=&r"(r) : "r"(300u), "r"(-300));
  REQUIRE(r == 0xffffff80u);
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(0x3c004000u), "r"(0x40004200u), "r"(0x3c003c00u));
  REQUIRE(r == 0x42004700u);  // 1 * 2 + 1, 2 * 3 + 1
  asm("{ .reg .f16 low, high; mov.b32 {low, high}, %1; add.f16 low, low, high; mov.b32 %0, {low, low}; }"
      : "=r"(r)
      : "r"(0x3c004000u));
  REQUIRE(r == 0x42004200u);
  asm("neg.f32 %0, %1; abs.f32 %0, %0;" : "=f"(f) : "f"(3.0f));
  REQUIRE(f == 3.0f);
}

__global__ void memory(const float4 *in, int *counters, unsigned *out, int *wrong) {
  __shared__ float4 staged[64];
  __shared__ unsigned long long barrier;
  int i = int(threadIdx.x);
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(in + i));
  REQUIRE(a == in[i].x && b == in[i].y && c == in[i].z && d == in[i].w);
  asm volatile("ld.global.f32 %0, [%1+8];" : "=f"(c) : "l"(&in[i]));
  REQUIRE(c == in[i].z);
  unsigned slot = unsigned(__cvta_generic_to_shared(&staged[i]));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(slot), "l"(in + i), "n"(16));
  asm volatile("cp.async.commit_group;\n" ::);
  REQUIRE(staged[i].x != in[i].x);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  __syncthreads();
  REQUIRE(staged[63 - i].w == in[63 - i].w);
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(slot), "f"(5.0f), "f"(6.0f) : "memory");
  asm volatile("ld.shared.f32 %0, [%1 + 4];" : "=f"(b) : "r"(slot));
  REQUIRE(b == 6.0f && staged[i].x == 5.0f);
  unsigned converted;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(converted) : "l"(&staged[i]));
  REQUIRE(converted == slot);
  int old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counters), "r"(2) : "memory");
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(counters + 1), "r"(i));
  asm volatile("atom.acq_rel.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(counters + 2), "r"(0), "r"(i + 1));
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(counters + 3), "f"(0.5f));
  unsigned at = unsigned(__cvta_generic_to_shared(&barrier));
  if (i == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
  __syncthreads();
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at));
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(at),
      "r"(0));
  out[i] = unsigned(old);
}

// D = A B + C, 16 by 8, from shared memory by ldmatrix; and the same product from registers filled by hand.
__global__ void products(const __half *a, const __half *b, float *d) {
  __shared__ __half left[16 * 16], right[8 * 16];
  int lane = int(threadIdx.x);
  for (int i = lane; i < 256; i += 32) left[i] = a[i];
  for (int i = lane; i < 128; i += 32) right[i] = b[i];
  __syncwarp();
  unsigned ra[4], rb[2];
  unsigned row = unsigned(__cvta_generic_to_shared(&left[lane % 16 * 16 + lane / 16 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(row));
  row = unsigned(__cvta_generic_to_shared(&right[lane % 8 * 16 + lane / 8 % 2 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(row));
  float c[4] = {1.0f, 1.0f, 1.0f, 1.0f}, r[4];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0,  %1,  %2,  %3},  {%4,  %5,  %6,  %7},  {%8,  %9},  {%10, %11, %12, %13};\n"
      : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = r[i];
}

int main() {
  Buffer<int> wrong(1);
  auto clean = [&](const char *what) {
    expect(what, wrong.get()[0], 0);
    wrong.put({0});
  };
  integers<<<1, 64>>>(wrong.device), clean("integers: wrong at line");
  integers_checked<<<1, 64>>>(wrong.device), clean("predicates: wrong at line");
  floats<<<1, 32>>>(wrong.device), clean("floats: wrong at line");
  std::vector<float4> quads(64);
  for (int i = 0; i < 64; ++i) quads[i] = make_float4(float(i), i + 0.25f, i + 0.5f, i + 0.75f);
  Buffer<float4> in(64);
  in.put(quads);
  Buffer<int> counters(4);
  Buffer<unsigned> out(64);
  memory<<<1, 64>>>(in.device, counters.device, out.device, wrong.device), clean("memory: wrong at line");
  expect("atom.add", counters.get()[0], 128), expect("red.max", counters.get()[1], 63);
  expect("red.add.f32", __int_as_float(counters.get()[3]), 32.0f);

  std::vector<__half> a(256), b(128);
  for (int i = 0; i < 256; ++i) a[i] = __half(float(i * 7 % 9 - 4));
  for (int i = 0; i < 128; ++i) b[i] = __half(float(i * 5 % 7 - 3));
  Buffer<__half> da(256), db(128);
  Buffer<float> d(128);
  da.put(a), db.put(b);
  products<<<1, 32>>>(da.device, db.device, d.device);
  auto got = d.get();
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float wanted = 1.0f;
      for (int k = 0; k < 16; ++k) wanted += float(a[i * 16 + k]) * float(b[j * 16 + k]);
      expect("mma", got[i * 8 + j], wanted);
    }
  }
  return finish();
}
