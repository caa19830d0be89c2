// WMMA of every shape and type on small integers, where all orders of adding give the same result.
#include <mma.h>

#include "device.cuh"

using namespace nvcuda;

template <int M, int N, int K, class T, class Held, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const Held *a, const Held *b, const Sum *c, Sum *d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, start;
  wmma::load_matrix_sync(left, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(right, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
  wmma::load_matrix_sync(start, c, N, wmma::mem_row_major);
  wmma::fill_fragment(sum, Sum(1.0f));
  for (int i = 0; i < start.num_elements; ++i) start.x[i] = start.x[i] + sum.x[i];
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = left.x[i] * Held(2.0f);
  wmma::mma_sync(sum, left, right, start);
  wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}

template <int M, int N, int K, class T, class Held, class Sum, class LayoutA, class LayoutB>
void check(const char *what) {
  std::vector<Held> a(M * K), b(K * N);
  std::vector<Sum> c(M * N);
  bool rows_a = std::is_same<LayoutA, wmma::row_major>::value, rows_b = std::is_same<LayoutB, wmma::row_major>::value;
  auto left = [](int i, int k) { return std::is_same<Held, unsigned char>::value ? (i * 7 + k) % 5 : (i * 7 + k * 3) % 9 - 4; };
  auto right = [](int k, int j) { return std::is_same<Held, unsigned char>::value ? (k + j * 3) % 4 : (k * 5 + j) % 7 - 3; };
  for (int i = 0; i < M; ++i) {
    for (int k = 0; k < K; ++k) a[rows_a ? i * K + k : k * M + i] = Held(float(left(i, k)));
  }
  for (int k = 0; k < K; ++k) {
    for (int j = 0; j < N; ++j) b[rows_b ? k * N + j : j * K + k] = Held(float(right(k, j)));
  }
  for (int i = 0; i < M * N; ++i) c[i] = Sum(float(i % 11));
  Buffer<Held> da(M * K), db(K * N);
  Buffer<Sum> dc(M * N), dd(M * N);
  da.put(a), db.put(b), dc.put(c);
  multiply<M, N, K, T, Held, Sum, LayoutA, LayoutB><<<1, 32>>>(da.device, db.device, dc.device, dd.device);
  auto got = dd.get();
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      int wanted = (i * N + j) % 11 + 1;
      for (int k = 0; k < K; ++k) wanted += 2 * left(i, k) * right(k, j);
      if (float(got[j * M + i]) != float(wanted)) {
        expect(what, double(float(got[j * M + i])), double(wanted));
        return;
      }
    }
  }
}

// The documented layout of mma.sync: a thread's pairs lie at row lane / 4 and columns 2 (lane % 4).
__global__ void layout(const float *ramp, const __half *halves, int *wrong) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::load_matrix_sync(sum, ramp, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(left, halves, 16);
  for (int i = 0; i < 8; ++i) {
    int row = threadIdx.x / 4 + (i / 2 % 2) * 8, column = threadIdx.x % 4 * 2 + i % 2 + i / 4 * 8;
    if (sum.x[i] != row * 16 + column || float(left.x[i]) != row * 16 + column) *wrong = 1;
    if (float(left.x[i + 8]) != float(left.x[i])) *wrong = 2;
  }
  if (sum.num_elements != 8 || left.num_elements != 16) *wrong = 3;
}

using row = wmma::row_major;
using col = wmma::col_major;

int main() {
  check<16, 16, 16, __half, __half, float, row, col>("half, row, col");
  check<16, 16, 16, __half, __half, __half, col, row>("half in half, col, row");
  check<32, 8, 16, __half, __half, float, row, row>("half 32x8");
  check<8, 32, 16, __half, __half, float, col, col>("half 8x32");
  check<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row, col>("bfloat16");
  check<16, 16, 16, signed char, signed char, int, row, col>("signed char");
  check<32, 8, 16, unsigned char, unsigned char, int, row, row>("unsigned char");
  check<16, 16, 8, wmma::precision::tf32, float, float, row, col>("tf32");
  check<8, 8, 4, double, double, double, row, col>("double");
  std::vector<float> ramp(256);
  std::vector<__half> halves(256);
  for (int i = 0; i < 256; ++i) ramp[i] = float(i), halves[i] = __half(float(i));
  Buffer<float> floats(256);
  Buffer<__half> small(256);
  Buffer<int> wrong(1);
  floats.put(ramp), small.put(halves);
  layout<<<1, 32>>>(floats.device, small.device, wrong.device);
  expect("layout", wrong.get()[0], 0);
  expect("tf32", wmma::__float_to_tf32(1.00048828125f), 1.0009765625f);
  return finish();
}
