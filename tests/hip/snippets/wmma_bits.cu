// expect: refused, LIB002 5, LIB012 5
#include <cuda_runtime.h>
#include <mma.h>
__global__ void k(int* c) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 8, 8, 32, int> f; using T = nvcuda::wmma::experimental::precision::s4;
  nvcuda::wmma::store_matrix_sync(c, f, 8, nvcuda::wmma::mem_row_major);
}
