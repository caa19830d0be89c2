// expect: builds
#include <cublas_v2.h>
#include <cuda_fp16.h>
void f(cublasHandle_t h, half* a, float* c) {
  float one = 1;
  cublasSetMathMode(h, CUBLAS_TENSOR_OP_MATH);
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 2, 3, &one, a, CUDA_R_16F, 1, a, CUDA_R_16F, 2, &one, c, CUDA_R_32F, 1,
               CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, 3, &one, c, 1, 4, c, 2, 4, &one, c, 1, 4, 8);
}
