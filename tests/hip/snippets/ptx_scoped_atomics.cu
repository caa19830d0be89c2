// expect: runs
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void k(unsigned* x, unsigned char* flags, const unsigned* c, unsigned long long* wide, float* f) {
  unsigned old, seen, now, byte;
  unsigned long long before;  // depends on the order of threads
  asm volatile("atom.global.gpu.relaxed.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(x + 64), "r"(threadIdx.x) : "memory");
  asm volatile("red.release.gpu.global.max.u32 [%0], %1;" :: "l"(x + 65), "r"(threadIdx.x * 3) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(f), "f"(0.25f));
  asm volatile("atom.acq_rel.sys.or.b64 %0, [%1], %2;" : "=l"(before) : "l"(wide), "l"(1ull << threadIdx.x % 64));
  asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(x + 66 + threadIdx.x), "r"(0), "r"(threadIdx.x + 5));
  asm volatile("st.release.sys.global.u8 [%0], %1;" :: "l"(flags + threadIdx.x), "r"(threadIdx.x | 1) : "memory");
  asm volatile("ld.acquire.sys.global.u8 %0, [%1];" : "=r"(byte) : "l"(flags + threadIdx.x) : "memory");
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(now) : "l"(c + threadIdx.x) : "memory");
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(x + 66 + threadIdx.x), "r"(old > 9999 ? 1 : 2));
  x[threadIdx.x] = byte + 1000 * now + 7 * seen + 100000 * old;
}
int main() {
  unsigned h[192], *x, *c; unsigned char* flags; unsigned long long* wide; float *f, sum;
  cudaMalloc(&x, sizeof h); cudaMalloc(&c, sizeof h); cudaMalloc(&flags, 64); cudaMalloc(&wide, 8); cudaMalloc(&f, 4);
  cudaMemset(x, 0, sizeof h); cudaMemset(c, 0, sizeof h); cudaMemset(wide, 0, 8); cudaMemset(f, 0, 4);
  k<<<1, 64>>>(x, flags, c, wide, f);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(&sum, f, 4, cudaMemcpyDeviceToHost);
  unsigned long long bits; cudaMemcpy(&bits, wide, 8, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 126; ++i) printf("%u\n", h[i]);
  printf("%g\n%llx\n", sum, bits);
}
