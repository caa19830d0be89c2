// BLAS in all three levels; the test knows what each line must say.
#include <cublas_v2.h>
#include "library_checks.h"

static cublasHandle_t handle;

static void vectors() {
  float alpha = 2, result;
  double wide_result;
  float *x = numbers<float>(1, 12), *y = numbers<float>(2, 12);
  cublasSaxpy(handle, 6, &alpha, x, 2, y, -2), show("saxpy", y, 12);
  cublasSscal(handle, 4, &alpha, x, 3), show("sscal", x, 12);
  cublasSdot(handle, 12, x, 1, y, 1, &result), say("sdot", result);
  cublasSnrm2(handle, 12, x, 1, &result), say("snrm2", result);
  cublasSasum(handle, 12, x, 1, &result), say("sasum", result);
  int index;
  cublasIsamax(handle, 12, x, 1, &index), say("isamax", index);
  cublasIsamin(handle, 12, x, 1, &index), say("isamin", index);
  cublasIsamax(handle, 0, x, 1, &index), say("isamax of none", index);
  cublasSswap(handle, 12, x, 1, y, 1), show("sswap", x, 12);
  cublasScopy(handle, 12, x, 1, y, 1), show("scopy", y, 12);
  float c = 0.5f, s = 0.25f;
  cublasSrot(handle, 12, x, 1, y, 1, &c, &s), show("srot x", x, 12), show("srot y", y, 12);
  cuDoubleComplex *u = complex_numbers<cuDoubleComplex>(3, 6), *v = complex_numbers<cuDoubleComplex>(4, 6), product;
  cublasZdotc(handle, 6, u, 1, v, 1, &product), say("zdotc", product);
  cublasZdotu(handle, 6, u, 1, v, 1, &product), say("zdotu", product);
  cublasDznrm2(handle, 6, u, 1, &wide_result), say("dznrm2", wide_result);
  double half = 0.5;
  cublasZdscal(handle, 6, &half, u, 1), show("zdscal", u, 6);
  // Scalars on the device.
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  float *on_device = unwritten<float>(1);
  cublasSdot(handle, 12, x, 1, x, 1, on_device), show("sdot on the device", on_device, 1);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
}

static void matrix_and_vectors() {
  double alpha = 2, beta = 0.5, zero = 0;
  double *A = numbers<double>(5, 20), *x = numbers<double>(6, 5), *y = numbers<double>(7, 5);
  double *fresh = unwritten<double>(4);
  cublasDgemv(handle, CUBLAS_OP_N, 4, 5, &alpha, A, 4, x, 1, &zero, fresh, 1), show("dgemv", fresh, 4);
  cublasDgemv(handle, CUBLAS_OP_T, 4, 5, &alpha, A, 4, x, 1, &beta, y, 1), show("dgemv t", y, 5);
  cublasDger(handle, 4, 5, &alpha, x, 1, y, 1, A, 4), show("dger", A, 20);
  double *S = numbers<double>(8, 16);
  cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, 4, &alpha, S, 4, x, 1, &beta, y, 1), show("dsymv", y, 5);
  cublasDsyr(handle, CUBLAS_FILL_MODE_UPPER, 4, &alpha, x, 1, S, 4), show("dsyr", S, 16);
  double *t = numbers<double>(9, 4);
  cublasDtrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, S, 4, t, 1), show("dtrmv", t, 4);
  cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, S, 4, t, 1), show("dtrsv", t, 4);
  cuDoubleComplex one = {1, 0}, none = {0, 0}, *H = complex_numbers<cuDoubleComplex>(10, 16);
  cuDoubleComplex *p = complex_numbers<cuDoubleComplex>(11, 4), *q = unwritten<cuDoubleComplex>(4);
  cublasZgemv(handle, CUBLAS_OP_C, 4, 4, &one, H, 4, p, 1, &none, q, 1), show("zgemv c", q, 4);
  cublasZhemv(handle, CUBLAS_FILL_MODE_UPPER, 4, &one, H, 4, p, 1, &none, q, 1), show("zhemv", q, 4);
  cublasZgerc(handle, 4, 4, &one, p, 1, q, 1, H, 4), show("zgerc", H, 16);
}

static void matrices() {
  float alpha = 2, beta = 0.5f, zero = 0, one = 1;
  float *A = numbers<float>(1, 24), *B = numbers<float>(2, 24), *C = numbers<float>(3, 24);
  float *fresh = unwritten<float>(16);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 4, 5, &alpha, A, 4, B, 6, &beta, C, 5), show("sgemm", C, 24);
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 4, 4, 6, &alpha, A, 6, B, 4, &zero, fresh, 4), show("sgemm tt", fresh, 16);
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &one, A, 2, 6, B, 2, 12, &zero, fresh, 2, 4, 2);
  show("sgemm strided", fresh, 8);
  const float *a_list[2] = {A, A + 4}, *b_list[2] = {B + 4, B};
  float *c_list[2] = {fresh, fresh + 4};
  const float **as, **bs;
  float **cs;
  cudaMalloc(&as, sizeof a_list), cudaMalloc(&bs, sizeof b_list), cudaMalloc(&cs, sizeof c_list);
  cudaMemcpy(as, a_list, sizeof a_list, cudaMemcpyHostToDevice);
  cudaMemcpy(bs, b_list, sizeof b_list, cudaMemcpyHostToDevice);
  cudaMemcpy(cs, c_list, sizeof c_list, cudaMemcpyHostToDevice);
  cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, as, 2, bs, 2, &zero, cs, 2, 2);
  show("sgemm batched", fresh, 8);
  float *K = unwritten<float>(16);
  cudaMemset(K, 0, 16 * sizeof(float));
  cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 3, &one, A, 4, &zero, K, 4), show("ssyrk", K, 16);
  cublasSsyrkx(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 4, 3, &one, A, 3, B, 3, &zero, K, 4), show("ssyrkx", K, 16);
  cublasSsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, 3, 4, &one, A, 4, B, 3, &zero, fresh, 3);
  show("ssymm", fresh, 12);
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 4, &alpha, A, 4, &beta, B, 3, fresh, 3), show("sgeam", fresh, 12);
  cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, 3, 4, A, 3, B, 2, fresh, 3), show("sdgmm", fresh, 12);
  double two = 2;
  double *T = numbers<double>(4, 9), *X = numbers<double>(5, 12), *Y = unwritten<double>(12);
  cublasDtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 3, 4, &two, T, 3, X, 3,
              Y, 3), show("dtrmm", Y, 12);
  double half = 0.5;
  cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 3, 4, &half, T, 3, Y, 3);
  show("dtrsm", Y, 12);
  cuComplex i = {0, 1}, nothing = {0, 0}, *P = complex_numbers<cuComplex>(6, 9), *Q = complex_numbers<cuComplex>(7, 9);
  cuComplex *R = unwritten<cuComplex>(9);
  cublasCgemm(handle, CUBLAS_OP_C, CUBLAS_OP_N, 3, 3, 3, &i, P, 3, Q, 3, &nothing, R, 3), show("cgemm", R, 9);
  cudaMemset(R, 0, 9 * sizeof(cuComplex));
  cublasCherk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 3, 3, &one, P, 3, &zero, R, 3), show("cherk", R, 9);
}

static void mixed() {
  float alpha = 2, beta = 0.5f;
  __half *A = numbers<__half>(1, 12), *B = numbers<__half>(2, 12), *C = numbers<__half>(3, 9);
  float *F = numbers<float>(3, 9);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 3, 3, 4, &alpha, A, CUDA_R_16F, 3, B, CUDA_R_16F, 3, &beta, C, CUDA_R_16F,
               3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT), show("half to half", C, 9);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 3, 3, 4, &alpha, A, CUDA_R_16F, 3, B, CUDA_R_16F, 3, &beta, F, CUDA_R_32F,
               3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT), show("half to float", F, 9);
  __half one = 1.0f, zero = 0.0f;
  cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, A, 3, B, 3, &zero, C, 3), show("hgemm", C, 9);
  std::vector<signed char> a(16), b(16);
  for (int i = 0; i < 16; ++i) a[i] = (signed char)(i * 37 - 128), b[i] = (signed char)(90 - 11 * i);
  signed char *ia = upload(a), *ib = upload(b);
  int wide_one = 1, wide_two = 2, *sum = upload(std::vector<int>(16, 1000));
  cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, &wide_one, ia, CUDA_R_8I, 4, ib, CUDA_R_8I, 4, &wide_two, sum,
               CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT), show("int8", sum, 16);
  say("int8 into half", int(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, ia, CUDA_R_8I, 4, ib, CUDA_R_8I,
                                         4, &beta, C, CUDA_R_16F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT)) ==
                            int(CUBLAS_STATUS_NOT_SUPPORTED));
}

// Two matrices factored, solved with and inverted.
template <class T>
static T **pointers(T *first, T *second) {
  return upload(std::vector<T *>{first, second});
}
static void batched_factors() {
  double *A = numbers<double>(5, 18), *B = numbers<double>(6, 6), *C = unwritten<double>(18);
  int *pivots = unwritten<int>(6), *info = unwritten<int>(2), wrong = 7;
  double **as = pointers(A, A + 9), **bs = pointers(B, B + 3), **cs = pointers(C, C + 9);
  cublasDgetrfBatched(handle, 3, as, 3, pivots, info, 2), show("getrf info", info, 2);
  cublasDgetrsBatched(handle, CUBLAS_OP_N, 3, 1, (const double *const *)as, 3, pivots, bs, 3, &wrong, 2);
  say("getrs info", wrong), show("getrs", B, 6);
  cublasDgetriBatched(handle, 3, (const double *const *)as, 3, pivots, cs, 3, info, 2), show("getri", C, 18);
}

// Each must be refused as the documentation says.
static void refusals() {
  float one = 1, *A = numbers<float>(1, 16);
  auto gemm = [&](int m, int n, int k, int lda, int ldb, int ldc, const float *alpha = nullptr) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha ? alpha : &one, A, lda, A, ldb, &one, A, ldc);
  };
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  say("refused", (gemm(-1, 1, 1, 4, 4, 4) == bad) + 2 * (gemm(4, 4, 4, 3, 4, 4) == bad) + 4 * (gemm(4, 4, 4, 4, 3, 4) == bad) +
                     8 * (gemm(4, 4, 4, 4, 4, 3) == bad) +
                     16 * (cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, A, 4, A, 0, &one, A, 1) == bad) +
                     32 * (cublasSaxpy(nullptr, 4, &one, A, 1, A, 1) == CUBLAS_STATUS_NOT_INITIALIZED) +
                     64 * (cublasSaxpy(handle, 4, nullptr, A, 1, A, 1) == bad) +
                     128 * (gemm(0, 4, 4, 4, 4, 4) == CUBLAS_STATUS_SUCCESS));
}

static void copies() {
  float host[6] = {1, 2, 3, 4, 5, 6}, back[12] = {};
  float *A = numbers<float>(1, 12);
  cublasSetMatrix(2, 3, sizeof(float), host, 2, A, 4), show("set matrix", A, 12);
  cublasGetVector(3, sizeof(float), A, 4, back, 2);
  printf("get vector %g %g %g %g %g\n", back[0], back[1], back[2], back[3], back[4]);
}

int main() {
  cublasCreate(&handle);
  vectors();
  matrix_and_vectors();
  matrices();
  mixed();
  batched_factors();
  refusals();
  copies();
  cublasDestroy(handle);
  say("last error", int(cudaGetLastError()));
}
