// expect: builds, API009 5
#include <cublasLt.h>
void f(cublasLtMatmulDesc_t d, void* bias) {
  cudaDataType_t scale = CUDA_R_32F; cublasOperation_t op = CUBLAS_OP_T;
  if (cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof scale) != CUBLAS_STATUS_SUCCESS) return;
  cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op);
  cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
}
