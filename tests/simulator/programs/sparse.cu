// Sparse vectors and matrices; the test knows what each line must say.
#include <cusparse.h>
#include "library_checks.h"
#include <string>

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

// 3 × 3: {2, 1, 0; 4, 8, 1; 0, 2, 4}, whose triangles share one diagonal.
static void triangular() {
  int *begin = upload(std::vector<int>{0, 2, 5, 7}), *index = upload(std::vector<int>{0, 1, 0, 1, 2, 1, 2});
  float *a = upload(std::vector<float>{2, 1, 4, 8, 1, 2, 4}), *x = upload(std::vector<float>{2, 20, 16});
  float *y = unwritten<float>(3);
  cusparseSpMatDescr_t A;
  cusparseDnVecDescr_t X, Y;
  cusparseCreateCsr(&A, 3, 3, 7, begin, index, a, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&X, 3, x, CUDA_R_32F), cusparseCreateDnVec(&Y, 3, y, CUDA_R_32F);
  for (int which = 0; which < 4; ++which) {
    auto fill = cusparseFillMode_t(which & 1);
    auto diagonal = which == 3 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    auto op = which == 2 ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal);
    cusparseSpSVDescr_t plan;
    size_t bytes;
    cusparseSpSV_createDescr(&plan);
    cusparseSpSV_bufferSize(handle, op, &two, A, X, Y, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, plan, &bytes);
    cusparseSpSV_analysis(handle, op, &two, A, X, Y, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, plan, nullptr);
    cusparseSpSV_solve(handle, op, &two, A, X, Y, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, plan);
    show((std::string("spsv ") + "abcd"[which]).c_str(), y, 3);
    if (which == 0) {  // the plan keeps the values of its analysis until they are updated
      cusparseSpSV_updateMatrix(handle, plan, upload(std::vector<float>{1, 1, 2}), CUSPARSE_SPSV_UPDATE_DIAGONAL);
      cusparseSpSV_solve(handle, op, &two, A, X, Y, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, plan), show("spsv updated", y, 3);
    }
    cusparseSpSV_destroyDescr(plan);
  }
  cusparseSpSMDescr_t plan;
  cusparseDnMatDescr_t B, C;
  float *c = unwritten<float>(6);
  cusparseCreateDnMat(&B, 2, 3, 2, upload(std::vector<float>{1, 2, 3, 4, 5, 6}), CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&C, 3, 2, 3, c, CUDA_R_32F, CUSPARSE_ORDER_COL);
  auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE, turned = CUSPARSE_OPERATION_TRANSPOSE;
  cusparseSpSM_createDescr(&plan);
  cusparseSpSM_analysis(handle, plain, turned, &one, A, B, C, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, plan, nullptr);
  cusparseSpSM_solve(handle, plain, turned, &one, A, B, C, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, plan), show("spsm", c, 6);

  csrilu02Info_t info;
  cusparseMatDescr_t matrix;
  int work, pivot = 7;
  cusparseCreateCsrilu02Info(&info), cusparseCreateMatDescr(&matrix);
  cusparseScsrilu02_bufferSize(handle, 3, 7, matrix, a, begin, index, info, &work);
  cusparseScsrilu02_analysis(handle, 3, 7, matrix, a, begin, index, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
  cusparseScsrilu02(handle, 3, 7, matrix, a, begin, index, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr), show("ilu", a, 7);
  say("pivot", int(cusparseXcsrilu02_zeroPivot(handle, info, &pivot)) * 10 + pivot);
  cudaMemset(a, 0, sizeof(float));
  cusparseScsrilu02(handle, 3, 7, matrix, a, begin, index, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
  say("zero pivot", int(cusparseXcsrilu02_zeroPivot(handle, info, &pivot)) * 10 + pivot);
  cusparseDestroyCsrilu02Info(info);
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
  triangular();
  description();
  cusparseDestroy(handle);
  say("last error", int(cudaGetLastError()));
}
