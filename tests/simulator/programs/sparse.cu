// Sparse vectors and matrices; the test knows what each line must say.
#include <cusparse.h>
#include "library_checks.h"

static cusparseHandle_t handle;
static const float one = 1, two = 2, half_of = 0.5f, zero = 0;

// 4 × 5, seven entries, the third row is empty.
static int *offsets, *rows, *columns;
static float *values;

static void vectors() {
  int *indices = upload(std::vector<int>{2, 5, 8});
  float *x = numbers<float>(1, 3), *y = numbers<float>(2, 10), result;
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t dense;
  cusparseCreateSpVec(&sparse, 10, 3, indices, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  cusparseCreateDnVec(&dense, 10, y, CUDA_R_32F);
  size_t bytes = 7;
  cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &result, CUDA_R_32F, &bytes);
  cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &result, CUDA_R_32F, nullptr), say("spvv", result);
  cusparseAxpby(handle, &two, sparse, &half_of, dense), show("axpby", y, 10);
  cusparseGather(handle, dense, sparse), show("gather", x, 3);
  cusparseSpVecSetValues(sparse, upload(std::vector<float>{7, 8, 9}));
  cusparseScatter(handle, sparse, dense), show("scatter", y, 10);
  cusparseDestroySpVec(sparse), cusparseDestroyDnVec(dense);
}

static void matrix_vector() {
  float *x = numbers<float>(3, 5), *y = numbers<float>(4, 5), *fresh = unwritten<float>(4);
  cusparseSpMatDescr_t A, C;
  cusparseCreateCsr(&A, 4, 5, 7, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  cusparseCreateCoo(&C, 4, 5, 7, rows, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseDnVecDescr_t X, Y, F, short_x;
  cusparseCreateDnVec(&X, 5, x, CUDA_R_32F), cusparseCreateDnVec(&Y, 5, y, CUDA_R_32F);
  cusparseCreateDnVec(&F, 4, fresh, CUDA_R_32F), cusparseCreateDnVec(&short_x, 4, x, CUDA_R_32F);
  size_t bytes;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, A, X, &zero, F, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, A, X, &zero, F, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  show("spmv", fresh, 4);
  cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, C, short_x, &half_of, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
               nullptr);
  show("spmv t", y, 5);
  say("refused", int(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, A, F, &zero, F, CUDA_R_32F,
                                  CUSPARSE_SPMV_ALG_DEFAULT, nullptr)) == int(CUSPARSE_STATUS_INVALID_VALUE));
  __half *narrow = numbers<__half>(5, 7), *hx = numbers<__half>(3, 5);
  cusparseSpMatDescr_t H;
  cusparseDnVecDescr_t HX;
  cusparseCreateCsr(&H, 4, 5, 7, offsets, columns, narrow, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_16F);
  cusparseCreateDnVec(&HX, 5, hx, CUDA_R_16F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, H, HX, &zero, F, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  show("spmv of halves", fresh, 4);
}

static void matrix_matrix() {
  float *b = numbers<float>(6, 15), *c = unwritten<float>(12);
  cusparseSpMatDescr_t A;
  cusparseCreateCsr(&A, 4, 5, 7, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  cusparseDnMatDescr_t B, R, C;
  cusparseCreateDnMat(&B, 5, 3, 5, b, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&R, 3, 5, 5, b, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseCreateDnMat(&C, 4, 3, 4, c, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, A, B, &zero, C, CUDA_R_32F,
               CUSPARSE_SPMM_ALG_DEFAULT, nullptr), show("spmm", c, 12);
  cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, &one, A, R, &one, C, CUDA_R_32F,
               CUSPARSE_SPMM_ALG_DEFAULT, nullptr), show("spmm onto itself", c, 12);
}

static void conversions() {
  float *dense = unwritten<float>(20);
  cusparseSpMatDescr_t A, S;
  cusparseDnMatDescr_t D;
  cusparseCreateCsr(&A, 4, 5, 7, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  cusparseCreateDnMat(&D, 4, 5, 5, dense, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseSparseToDense(handle, A, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr), show("to dense", dense, 20);
  int *starts = unwritten<int>(6), *indices = unwritten<int>(7);
  float *kept = unwritten<float>(7);
  long long found_rows, found_columns, nnz;
  cusparseCreateCsc(&S, 4, 5, 0, starts, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE,
                    CUDA_R_32F);
  cusparseDenseToSparse_analysis(handle, D, S, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr);
  cusparseSpMatGetSize(S, (int64_t *)&found_rows, (int64_t *)&found_columns, (int64_t *)&nnz), say("count", int(nnz));
  cusparseCsrSetPointers(S, starts, indices, kept);
  cusparseDenseToSparse_convert(handle, D, S, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr);
  show("starts", starts, 6), show("indices", indices, 7), show("kept", kept, 7);
}

static void description() {
  cusparseMatDescr_t matrix;
  cusparseCreateMatDescr(&matrix);
  say("base at first", int(cusparseGetMatIndexBase(matrix)));
  cusparseSetMatIndexBase(matrix, CUSPARSE_INDEX_BASE_ONE);
  cusparseSetMatType(matrix, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
  say("base and type", int(cusparseGetMatIndexBase(matrix)) * 10 + int(cusparseGetMatType(matrix)));
  cusparseDestroyMatDescr(matrix);
}

int main() {
  cusparseCreate(&handle);
  offsets = upload(std::vector<int>{0, 2, 4, 4, 7});
  rows = upload(std::vector<int>{0, 0, 1, 1, 3, 3, 3});
  columns = upload(std::vector<int>{0, 3, 1, 4, 0, 2, 4});
  values = upload(std::vector<float>{1, 2, 3, 4, 5, 6, 7});
  vectors();
  matrix_vector();
  matrix_matrix();
  conversions();
  description();
  cusparseDestroy(handle);
  say("last error", int(cudaGetLastError()));
}
