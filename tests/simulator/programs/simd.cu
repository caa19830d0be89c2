// Integer SIMD and dot-product intrinsics on words from standard input; writes every result to standard output.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define EACH(F)                                                                                                    \
  F(__vabsdiffs) F(__vabsdiffu) F(__vadd) F(__vaddss) F(__vaddus) F(__vsub) F(__vsubss) F(__vsubus) F(__vavgs)     \
  F(__vavgu) F(__vhaddu) F(__vmaxs) F(__vmaxu) F(__vmins) F(__vminu) F(__vsads) F(__vsadu) F(__vcmpeq)             \
  F(__vcmpne) F(__vcmpges) F(__vcmpgts) F(__vcmples) F(__vcmplts) F(__vcmpgeu) F(__vcmpgtu) F(__vcmpleu)           \
  F(__vcmpltu) F(__vseteq) F(__vsetne) F(__vsetges) F(__vsetgts) F(__vsetles) F(__vsetlts) F(__vsetgeu)            \
  F(__vsetgtu) F(__vsetleu) F(__vsetltu)
#define ONE(F) F(__vabs) F(__vabsss) F(__vneg) F(__vnegss)

__global__ void simd(const unsigned *in, unsigned *out, int n) {
  int i = int(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  unsigned a = in[2 * i], b = in[2 * i + 1];
  int op = 0;
#define PAIR(name) out[n * op++ + i] = name##2(a, b), out[n * op++ + i] = name##4(a, b);
#define SINGLE(name) out[n * op++ + i] = name##2(a), out[n * op++ + i] = name##4(a);
  EACH(PAIR)
  ONE(SINGLE)
  out[n * op++ + i] = unsigned(__dp4a(int(a), int(b), 7));
  out[n * op++ + i] = __dp4a(a, b, 7u);
  out[n * op++ + i] = unsigned(__dp2a_lo(int(a), int(b), 7));
  out[n * op++ + i] = __dp2a_hi(a, b, 7u);
  out[n * op++ + i] = __byte_perm(a, b, 0x9c14);
  out[n * op++ + i] = __funnelshift_l(a, b, b);
  out[n * op++ + i] = __funnelshift_rc(a, b, b % 64);
  out[n * op++ + i] = __brev(a);
}

int main() {
  std::vector<unsigned> words;
  for (unsigned word; fread(&word, 4, 1, stdin) == 1;) words.push_back(word);
  int n = int(words.size() / 2), ops = 2 * 41 + 8;
  unsigned *in, *out;
  cudaMalloc(&in, words.size() * 4);
  cudaMalloc(&out, size_t(n) * ops * 4);
  cudaMemcpy(in, words.data(), words.size() * 4, cudaMemcpyHostToDevice);
  simd<<<(n + 127) / 128, 128>>>(in, out, n);
  std::vector<unsigned> results(size_t(n) * ops);
  cudaMemcpy(results.data(), out, results.size() * 4, cudaMemcpyDeviceToHost);
  fwrite(results.data(), 4, results.size(), stdout);
}
