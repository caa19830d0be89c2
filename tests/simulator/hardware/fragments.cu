// Where the elements of a matrix lie among the lanes: WMMA's fragments, ldmatrix, mma.sync.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "hardware.h"

using namespace nvcuda;

template <class T>
__device__ T *numbered() {
  __shared__ __align__(32) T elements[1024];
  for (int i = int(threadIdx.x); i < 1024; i += int(blockDim.x)) elements[i] = T(float(i));
  __syncthreads();
  return elements;
}

template <class Fragment>
__device__ void write(unsigned *out, const Fragment &fragment) {
  if (blockIdx.x || threadIdx.x >= 32) return;
  for (int i = 0; i < fragment.num_elements; ++i) out[threadIdx.x * 32 + i] = unsigned(float(fragment.x[i]));
  if (threadIdx.x == 0) out[count - 1] = fragment.num_elements;
}

template <class Fragment, class T, int stride>
__global__ void operand(unsigned *out) {
  Fragment fragment;
  wmma::load_matrix_sync(fragment, numbered<T>(), stride);
  write(out, fragment);
}
template <class Fragment, class T>
__global__ void accumulator(unsigned *out, int stride, wmma::layout_t layout) {
  Fragment fragment;
  wmma::load_matrix_sync(fragment, numbered<T>(), stride, layout);
  write(out, fragment);
}

__global__ void load_matrix(unsigned *out, bool transposed) {
  __shared__ __align__(16) half elements[16 * 32];
  for (int i = int(threadIdx.x); i < 512; i += int(blockDim.x)) elements[i] = half(float(i));
  __syncthreads();
  if (blockIdx.x || threadIdx.x >= 32) return;
  const half *row = elements + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8;
  const unsigned address = unsigned(__cvta_generic_to_shared(row));
  unsigned r[4];
  if (transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = r[i];
}

__device__ unsigned halves(int low, int high) {
  return __half_as_ushort(half(float(low))) | unsigned(__half_as_ushort(half(float(high)))) << 16;
}

__global__ void half_product(unsigned *out) {
  if (blockIdx.x || threadIdx.x >= 32) return;
  const int lane = int(threadIdx.x);
  unsigned a[4], b[2];
  float c[4] = {0.5f, 1.5f, -2, 3};
  for (int i = 0; i < 4; ++i) a[i] = halves((lane * 3 + i * 7) % 11 - 5, (lane * 5 + i) % 13 - 6);
  for (int i = 0; i < 2; ++i) b[i] = halves((lane * 7 + i * 3) % 9 - 4, (lane + i * 5) % 7 - 3);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[lane * 4 + i] = __float_as_uint(c[i]);
}
__global__ void byte_product(unsigned *out) {
  if (blockIdx.x || threadIdx.x >= 32) return;
  const unsigned lane = threadIdx.x;
  unsigned a[4], b[2];
  int c[4] = {1, 2, -3, 4};
  for (unsigned i = 0; i < 4; ++i) a[i] = word(lane * 4 + i);
  for (unsigned i = 0; i < 2; ++i) b[i] = word(lane * 2 + i + 1000);
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[lane * 4 + i] = unsigned(c[i]);
}

#define OPERAND(use, M, N, K, T, layout, element, stride)                            \
  show(#use " " #M "x" #N "x" #K " " #T " " #layout,                                  \
       operand<wmma::fragment<wmma::use, M, N, K, T, wmma::layout>, element, stride>)
#define ACCUMULATOR(M, N, K, T)                                                                             \
  show("accumulator " #M "x" #N "x" #K " " #T " by rows", accumulator<wmma::fragment<wmma::accumulator, M, N, K, T>, T>, \
       N, wmma::mem_row_major);                                                                             \
  show("accumulator " #M "x" #N "x" #K " " #T " by columns", accumulator<wmma::fragment<wmma::accumulator, M, N, K, T>, T>, \
       M, wmma::mem_col_major)

int main() {
  OPERAND(matrix_a, 16, 16, 16, half, row_major, half, 16);
  OPERAND(matrix_a, 16, 16, 16, half, col_major, half, 16);
  OPERAND(matrix_b, 16, 16, 16, half, row_major, half, 16);
  OPERAND(matrix_b, 16, 16, 16, half, col_major, half, 16);
  OPERAND(matrix_a, 32, 8, 16, half, row_major, half, 16);
  OPERAND(matrix_b, 32, 8, 16, half, col_major, half, 16);
  OPERAND(matrix_a, 8, 32, 16, half, row_major, half, 16);
  OPERAND(matrix_b, 8, 32, 16, half, row_major, half, 32);
  OPERAND(matrix_a, 16, 16, 8, wmma::precision::tf32, row_major, float, 8);
  OPERAND(matrix_b, 16, 16, 8, wmma::precision::tf32, col_major, float, 8);
  ACCUMULATOR(16, 16, 16, float);
  ACCUMULATOR(16, 16, 16, half);
  ACCUMULATOR(32, 8, 16, float);
  ACCUMULATOR(8, 32, 16, float);
  ACCUMULATOR(16, 16, 8, float);
  ACCUMULATOR(8, 8, 4, double);
  show("ldmatrix", load_matrix, false);
  show("ldmatrix.trans", load_matrix, true);
  show("mma m16n8k16 half", half_product);
  show("mma m16n8k32 s8", byte_product);
}
