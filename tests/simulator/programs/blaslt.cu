// Products with epilogues; the test knows what each line must say.
#include <cublasLt.h>
#include "library_checks.h"

static cublasLtHandle_t handle;

struct Product {
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t a, b, c, d;

  Product(cublasComputeType_t compute, cudaDataType scale, cudaDataType ab, cudaDataType c_type, cudaDataType d_type, int m,
          int n, int k, bool transposed_a = false) {
    cublasLtMatmulDescCreate(&description, compute, scale);
    if (transposed_a) set(CUBLASLT_MATMUL_DESC_TRANSA, int(CUBLAS_OP_T));
    cublasLtMatrixLayoutCreate(&a, ab, transposed_a ? k : m, transposed_a ? m : k, transposed_a ? k : m);
    cublasLtMatrixLayoutCreate(&b, ab, k, n, k);
    cublasLtMatrixLayoutCreate(&c, c_type, m, n, m);
    cublasLtMatrixLayoutCreate(&d, d_type, m, n, m);
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value);
  }
  template <class S>
  int run(S alpha, const void *A, const void *B, S beta, const void *C, void *D) {
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    size_t workspace = 1 << 20;
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace);
    cublasLtMatmulHeuristicResult_t result;
    int found = -1;
    cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle, description, a, b, c, d, preference, 1, &result, &found);
    cublasLtMatmulPreferenceDestroy(preference);
    if (status != CUBLAS_STATUS_SUCCESS || found != 1) return status == CUBLAS_STATUS_NOT_SUPPORTED && !found ? -1 : -2;
    return int(cublasLtMatmul(handle, description, &alpha, A, a, B, b, &beta, C, c, D, d, &result.algo, nullptr, 0, 0));
  }
};

static Product single_product() {
  return Product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 3, 5);
}

static void epilogues() {
  float *A = numbers<float>(1, 20), *B = numbers<float>(2, 15), *C = numbers<float>(3, 12), *D = unwritten<float>(12);
  float *bias = numbers<float>(4, 4), *aux = unwritten<float>(12), *gradient = unwritten<float>(4);
  Product p = single_product();
  p.run(2.0f, A, B, 0.5f, C, D), show("plain", D, 12);
  p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_RELU_BIAS));
  p.run(2.0f, A, B, 0.0f, D, D), show("relu bias", D, 12);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_GELU_AUX_BIAS));
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)aux);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (long long)4);
  p.run(1.0f, A, B, 0.0f, C, D), show("gelu bias", D, 12), show("gelu aux", aux, 12);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_DGELU_BGRAD));
  p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, gradient);
  p.run(1.0f, A, B, 0.0f, C, D), show("dgelu", D, 12), show("dgelu bgrad", gradient, 4);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_BGRADB));
  p.run(1.0f, A, B, 0.0f, C, D), show("bgradb", gradient, 3);
#ifndef __HIPCC__
  unsigned char *bits = unwritten<unsigned char>(48);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_RELU_AUX));
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)bits);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (long long)128);
  p.run(1.0f, A, B, 0.0f, C, D);
  p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, unsigned(CUBLASLT_EPILOGUE_DRELU));
  p.run(2.0f, A, B, 0.0f, C, D), show("drelu", D, 12);
#endif
}

static void layouts() {
  float *A = numbers<float>(1, 40), *B = numbers<float>(2, 30), *D = unwritten<float>(24);
  Product p = single_product();
  int order = CUBLASLT_ORDER_ROW, count = 2;
  long long stride = 5, offset_a = 20, offset_b = 15, offset_d = 12;
  cublasLtMatrixLayoutSetAttribute(p.a, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
  cublasLtMatrixLayoutSetAttribute(p.a, CUBLASLT_MATRIX_LAYOUT_LD, &stride, sizeof stride);
  for (auto layout : {p.a, p.b, p.c, p.d}) {
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
    long long offset = layout == p.a ? offset_a : layout == p.b ? offset_b : offset_d;
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset, sizeof offset);
  }
  p.run(1.0f, A, B, 0.0f, D, D), show("rows in batches", D, 24);
}

// Every E4M3 number through a product with one, then scaled and rounded back.
static void small_floats() {
  std::vector<unsigned char> codes(256), one(256, 0);
  for (int i = 0; i < 256; ++i) codes[i] = (i & 127) == 127 ? 0 : i;
  for (int i = 0; i < 16; ++i) one[17 * i] = 0x38;
  unsigned char *A = upload(codes), *B = upload(one), *E = unwritten<unsigned char>(256);
  float *D = unwritten<float>(256);
  Product p(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_32F, CUDA_R_32F, 16, 16, 16, true);
  p.run(1.0f, A, B, 0.0f, D, D), show("e4m3", D, 256);
  float *scale = upload(std::vector<float>(1, 0.5f)), *largest = unwritten<float>(1);
  Product q(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3, 16, 16, 16, true);
  q.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale);
  q.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest);
  q.run(2.75f, A, B, 0.0f, D, E), show("to e4m3", E, 256), show("amax", largest, 1);
}

static void integers_and_halves() {
  std::vector<signed char> host(16);
  for (int i = 0; i < 16; ++i) host[i] = (signed char)(i * 29 - 100);
  signed char *A = upload(host), *D = unwritten<signed char>(16);
  Product p(CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, CUDA_R_8I, 4, 4, 4);
  p.run(0.01f, A, A, 0.0f, D, D), show("int8", D, 16);
  __half *H = numbers<__half>(1, 16), *R = unwritten<__half>(16);
  Product q(CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, 4, 4, 4);
  q.run(__half(2.0f), H, H, __half(0.0f), R, R), show("half", R, 16);
  Product wrong(CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 4, 4);
  say("no algorithm", wrong.run(1.0, H, H, 0.0, R, R));
}

int main() {
  cublasLtCreate(&handle);
  epilogues();
  layouts();
  small_floats();
  integers_and_halves();
  cublasLtDestroy(handle);
  say("last error", int(cudaGetLastError()));
}
