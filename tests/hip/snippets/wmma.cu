// expect: refused, LIB001 3, LIB002 5
#include <cuda_runtime.h>
#include <mma.h>
__global__ void k(half* a, float* c) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;
  nvcuda::wmma::store_matrix_sync(c, f, 16, nvcuda::wmma::mem_row_major);
}
