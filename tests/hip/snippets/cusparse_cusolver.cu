// expect: builds
#include <cusparse.h>
#include <cusolverDn.h>
void f(cusparseHandle_t h, cusolverDnHandle_t s, int* i, float* v, cusparseDnVecDescr_t x) {
  cusparseSpMatDescr_t m; float one = 1; size_t n; int lwork;
  cusparseCreateCsr(&m, 4, 4, 8, i, i, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m, x, &one, x, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &n);
  cusolverDnSpotrf_bufferSize(s, CUBLAS_FILL_MODE_LOWER, 4, v, 4, &lwork);
  cusolverDnSsyevd(s, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, 4, v, 4, v, v, lwork, i);
}
