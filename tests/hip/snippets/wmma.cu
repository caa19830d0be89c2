// expect: runs, LIB012 9, LIB012 33, LIB012 58, LIB012 82
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <stdio.h>
#include <string.h>
using namespace nvcuda;
using tf32 = wmma::precision::tf32;
template <class T> struct stored { using type = T; };
template <> struct stored<tf32> { using type = float; };
template <class T> __host__ __device__ T made(int i) { return T(float(i)); }
template <> __host__ __device__ int made<int>(int i) { return i; }
template <> __host__ __device__ double made<double>(int i) { return i + 0.25; }
template <> __host__ __device__ unsigned char made<unsigned char>(int i) { return 37 * i; }
template <> __host__ __device__ signed char made<signed char>(int i) { return 37 * i; }

// What element (row, column) of A, B and C is for one warp; small, so that sums are exact in every format.
__host__ __device__ int cell(int row, int column, int salt) { return (row * 7 + column * 3 + salt * 5) % 9 - 4; }

template <class T> __device__ void fill(T* to, int rows, int columns, bool by_row, int salt) {
  for (int i = threadIdx.x % 32; i < rows * columns; i += 32) {
    int row = by_row ? i / columns : i % rows, column = by_row ? i % columns : i / rows;
    to[i] = made<T>(cell(row, column, salt));
  }
}
__device__ unsigned number(float x) { return __float_as_uint(x); }
__device__ unsigned number(__half x) { return __float_as_uint(__half2float(x)); }
__device__ unsigned number(int x) { return x; }
__device__ unsigned number(double x) { return unsigned(__double_as_longlong(x) >> 32); }
// A warp multiplies its own matrices; `hash` of all elements of the result by position.
template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB>
__device__ unsigned product(char* shared, wmma::layout_t layout, int salt, bool saturates = false) {
  using Stored = typename stored<T>::type;
  char* mine = shared + threadIdx.x / 32 * 4096;
  Stored *a = (Stored*)mine, *b = (Stored*)(mine + 1024); Sum* c = (Sum*)(mine + 2048);
  fill(a, M, K, std::is_same_v<LayoutA, wmma::row_major>, salt + threadIdx.x / 32);
  fill(b, K, N, std::is_same_v<LayoutB, wmma::row_major>, salt + 11 + threadIdx.x / 32);
  fill(c, M, N, layout == wmma::mem_row_major, salt + 17); __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, twice;
  wmma::load_matrix_sync(fa, a, std::is_same_v<LayoutA, wmma::row_major> ? K : M);
  wmma::load_matrix_sync(fb, b, std::is_same_v<LayoutB, wmma::row_major> ? N : K);
  wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? N : M, layout);
  wmma::fill_fragment(twice, Sum(2.0f));
  wmma::mma_sync(fc, fa, fb, fc, saturates);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] * twice.x[i];
  wmma::store_matrix_sync(c, fc, layout == wmma::mem_row_major ? N : M, layout);
  __syncwarp();
  unsigned hash = 0;
  for (int i = 0; i < M * N; ++i) hash = hash * 31 + number(c[i]);
  __syncwarp();
  return hash;
}
template <int M, int N, int K, class T, class Sum>
__device__ unsigned products(char* shared, int salt) {
  using Row = wmma::row_major; using Column = wmma::col_major;
  return product<M, N, K, T, Sum, Row, Column>(shared, wmma::mem_row_major, salt) +
         3 * product<M, N, K, T, Sum, Column, Row>(shared, wmma::mem_col_major, salt + 1) +
         5 * product<M, N, K, T, Sum, Row, Row>(shared, wmma::mem_col_major, salt + 2) +
         7 * product<M, N, K, T, Sum, Column, Column>(shared, wmma::mem_row_major, salt + 3, true);
}
__global__ void k(unsigned* x, int kind) {
  __shared__ alignas(32) char shared[4 * 4096];
  unsigned hash = 0;
  if (kind == 0) hash = products<16, 16, 16, __half, float>(shared, 1);
  if (kind == 1) hash = products<16, 16, 16, __half, __half>(shared, 2);
  if (kind == 2) hash = products<16, 16, 16, __nv_bfloat16, float>(shared, 3);
  if (kind == 3) hash = products<16, 16, 16, signed char, int>(shared, 4);
  if (kind == 4) hash = products<16, 16, 16, unsigned char, int>(shared, 5);
  if (kind == 5) hash = products<16, 16, 8, tf32, float>(shared, 6);
  if (kind == 6) hash = products<8, 8, 4, double, double>(shared, 7);
  if (kind == 7) hash = products<32, 8, 16, __half, float>(shared, 8);
  if (kind == 8) hash = products<8, 32, 16, __half, __half>(shared, 9);
  if (kind == 9) hash = products<32, 8, 16, unsigned char, int>(shared, 10);
  if (kind == 10) hash = products<8, 32, 16, signed char, int>(shared, 11);
  if (kind == 11) hash = products<8, 32, 16, __nv_bfloat16, float>(shared, 12);
  // Only every second warp: one half of each wavefront.
  if (kind == 12 && threadIdx.x / 32 % 2 == 1) hash = products<16, 16, 16, __half, float>(shared, 13);
  if (kind == 13 && threadIdx.x / 32 % 2 == 0) hash = products<8, 8, 4, double, double>(shared, 14);
  if (kind == 14) hash = __float_as_uint(wmma::__float_to_tf32(1.0f + (threadIdx.x + 1) * 0.0001f));
  if (threadIdx.x % 32 == 7) x[kind * 8 + threadIdx.x / 32] = hash;
}
int main() {
  unsigned h[128], *x;
  cudaMalloc(&x, sizeof h); cudaMemset(x, 0, sizeof h);
  for (int kind = 0; kind < 15; ++kind) k<<<1, 128>>>(x, kind);
  for (int kind = 0; kind < 8; ++kind) k<<<1, 32>>>(x + 4, kind);  // one warp a block
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%08x\n", h[i]);
}
