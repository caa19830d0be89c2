// rocWMMA at 64 lanes on small integers, and the layout of the accumulators.
#include <rocwmma/rocwmma.hpp>

#include "checks.h"

template <int M, int N, int K, class T, class Sum, class LayoutB>
__global__ void multiply(const T *a, const T *b, Sum *d, int *wrong) {
  rocwmma::fragment<rocwmma::matrix_a, M, N, K, T, rocwmma::row_major> left;
  rocwmma::fragment<rocwmma::matrix_b, M, N, K, T, LayoutB> right;
  rocwmma::fragment<rocwmma::accumulator, M, N, K, Sum> sum;
  rocwmma::fill_fragment(sum, Sum(3));
  rocwmma::load_matrix_sync(left, a, K);
  rocwmma::load_matrix_sync(right, b, std::is_same<LayoutB, rocwmma::row_major>::value ? N : K);
  rocwmma::mma_sync(sum, left, right, sum);
  rocwmma::store_matrix_sync(d, sum, N, rocwmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) {
    int row = i / 4 * 4 * (64 / N) + threadIdx.x / N * 4 + i % 4, column = threadIdx.x % N;
    if (sizeof(Sum) == 4 && float(sum.x[i]) != float(d[row * N + column])) *wrong = 1;
  }
}

template <int M, int N, int K, class T, class Sum, class LayoutB>
void check(const char *what) {
  T *a, *b;
  Sum *d;
  int *wrong;
  (void)hipMallocManaged(&a, sizeof(T) * M * K);
  (void)hipMallocManaged(&b, sizeof(T) * K * N);
  (void)hipMallocManaged(&d, sizeof(Sum) * M * N);
  (void)hipMallocManaged(&wrong, sizeof(int));
  *wrong = 0;
  bool rows = std::is_same<LayoutB, rocwmma::row_major>::value;
  for (int i = 0; i < M * K; ++i) a[i] = T(float(i * 7 % 9 - 4));
  for (int k = 0; k < K; ++k) {
    for (int j = 0; j < N; ++j) b[rows ? k * N + j : j * K + k] = T(float((k * 5 + j) % 7 - 3));
  }
  multiply<M, N, K, T, Sum, LayoutB><<<1, 64>>>(a, b, d, wrong);
  (void)hipDeviceSynchronize();
  expect(what, *wrong, 0);
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      int wanted = 3;
      for (int k = 0; k < K; ++k) wanted += ((i * K + k) * 7 % 9 - 4) * ((k * 5 + j) % 7 - 3);
      if (float(d[i * N + j]) != float(wanted)) return expect(what, double(float(d[i * N + j])), double(wanted));
    }
  }
}

int main() {
  using row = rocwmma::row_major;
  using col = rocwmma::col_major;
  check<16, 16, 16, rocwmma::float16_t, float, row>("float16, row");
  check<32, 32, 8, rocwmma::float16_t, float, col>("float16 32x32, col");
  check<16, 16, 16, rocwmma::bfloat16_t, float, col>("bfloat16");
  check<16, 16, 32, int8_t, int, row>("int8");
  check<16, 16, 4, float, float, row>("float");
  check<16, 16, 4, double, double, col>("double");
  return finish();
}
