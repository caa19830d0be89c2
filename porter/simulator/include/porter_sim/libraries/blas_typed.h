// The functions that all four types have. Included by blas_functions.h once for each type.
#define PORTER_T PORTER_BLAS_T
#define PORTER_R PORTER_BLAS_R
#define PORTER_TYPED(name, core, parameters, ...) \
  PORTER_BLAS_FUNCTION(PORTER_BLAS_TYPED(name), core, parameters, __VA_ARGS__)

// Vectors.
PORTER_TYPED(axpy, axpy, (PORTER_BLAS_HANDLE, int n, const PORTER_T *alpha, const PORTER_T *x, int incx, PORTER_T *y, int incy), n, alpha, x, incx,
         y, incy)
PORTER_TYPED(copy, copy, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, PORTER_T *y, int incy), n, x, incx, y, incy)
PORTER_TYPED(swap, swap, (PORTER_BLAS_HANDLE, int n, PORTER_T *x, int incx, PORTER_T *y, int incy), n, x, incx, y, incy)
PORTER_TYPED(scal, scal, (PORTER_BLAS_HANDLE, int n, const PORTER_T *alpha, PORTER_T *x, int incx), n, alpha, x, incx)
PORTER_TYPED(rot, rot, (PORTER_BLAS_HANDLE, int n, PORTER_T *x, int incx, PORTER_T *y, int incy, const PORTER_R *c, const PORTER_T *s), n, x, incx, y,
         incy, c, s)
PORTER_TYPED(rotg, rotg, (PORTER_BLAS_HANDLE, PORTER_T *a, PORTER_T *b, PORTER_R *c, PORTER_T *s), a, b, c, s)
PORTER_BLAS_FUNCTION(PORTER_BLAS_REAL_RESULT(nrm2), nrm2, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, PORTER_R *result), n,
                     x, incx, result)
PORTER_BLAS_FUNCTION(PORTER_BLAS_REAL_RESULT(asum), asum, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, PORTER_R *result), n,
                     x, incx, result)
PORTER_BLAS_FUNCTION(PORTER_BLAS_INDEX(amax), amax, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, int *result), n, x,
                     incx, result)
PORTER_BLAS_FUNCTION(PORTER_BLAS_INDEX(amin), amin, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, int *result), n, x,
                     incx, result)

// A matrix and vectors.
PORTER_TYPED(gemv, gemv, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) trans, int m, int n, const PORTER_T *alpha,
             const PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy),
             trans, m, n, alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(gemvBatched, gemv_batched, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) trans, int m, int n, const
             PORTER_T *alpha, const PORTER_T *const A[], int lda, const PORTER_T *const x[], int incx, const PORTER_T
             *beta, PORTER_T *const y[], int incy, int batch), trans, m, n, alpha, A, lda, x, incx, beta, y, incy,
             batch)
PORTER_TYPED(gemvStridedBatched, gemv_strided, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) trans, int m, int n,
             const PORTER_T *alpha, const PORTER_T *A, int lda, long long stride_a, const PORTER_T *x, int incx, long
             long stride_x, const PORTER_T *beta, PORTER_T *y, int incy, long long stride_y, int batch), trans, m, n,
             alpha, A, lda, stride_a, x, incx, stride_x, beta, y, incy, stride_y, batch)
PORTER_TYPED(gbmv, gbmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) trans, int m, int n, int kl, int ku, const
             PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T
             *y, int incy), trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(trmv, trmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, const PORTER_T *A, int lda, PORTER_T *x, int incx), uplo, trans,
             diag, n, A, lda, x, incx)
PORTER_TYPED(trsv, trsv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, const PORTER_T *A, int lda, PORTER_T *x, int incx), uplo, trans,
             diag, n, A, lda, x, incx)
PORTER_TYPED(tbmv, tbmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, int k, const PORTER_T *A, int lda, PORTER_T *x, int incx), uplo,
             trans, diag, n, k, A, lda, x, incx)
PORTER_TYPED(tbsv, tbsv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, int k, const PORTER_T *A, int lda, PORTER_T *x, int incx), uplo,
             trans, diag, n, k, A, lda, x, incx)
PORTER_TYPED(tpmv, tpmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, const PORTER_T *AP, PORTER_T *x, int incx), uplo, trans, diag, n,
             AP, x, incx)
PORTER_TYPED(tpsv, tpsv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans,
             PORTER_BLAS(DiagType_t) diag, int n, const PORTER_T *AP, PORTER_T *x, int incx), uplo, trans, diag, n,
             AP, x, incx)

// Matrices.
PORTER_TYPED(gemm, gemm, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa, PORTER_BLAS(Operation_t) transb, int m,
             int n, int k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const
             PORTER_T *beta, PORTER_T *C, int ldc), transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(gemmBatched, gemm_batched, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa, PORTER_BLAS(Operation_t)
             transb, int m, int n, int k, const PORTER_T *alpha, const PORTER_T *const A[], int lda, const PORTER_T
             *const B[], int ldb, const PORTER_T *beta, PORTER_T *const C[], int ldc, int batch), transa, transb, m,
             n, k, alpha, A, lda, B, ldb, beta, C, ldc, batch)
PORTER_TYPED(gemmStridedBatched, gemm_strided, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa,
             PORTER_BLAS(Operation_t) transb, int m, int n, int k, const PORTER_T *alpha, const PORTER_T *A, int lda,
             long long stride_a, const PORTER_T *B, int ldb, long long stride_b, const PORTER_T *beta, PORTER_T *C,
             int ldc, long long stride_c, int batch), transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb,
             stride_b, beta, C, ldc, stride_c, batch)
PORTER_TYPED(symm, symm, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, PORTER_BLAS(FillMode_t) uplo, int m, int
             n, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_T *beta,
             PORTER_T *C, int ldc), side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(syrk, syrk, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n, int
             k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *beta, PORTER_T *C, int ldc), uplo,
             trans, n, k, alpha, A, lda, beta, C, ldc)
PORTER_TYPED(syr2k, syr2k, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n,
             int k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_T
             *beta, PORTER_T *C, int ldc), uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(syrkx, syrkx, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n,
             int k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_T
             *beta, PORTER_T *C, int ldc), uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(trmm, trmm, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, PORTER_BLAS(FillMode_t) uplo,
             PORTER_BLAS(Operation_t) trans, PORTER_BLAS(DiagType_t) diag, int m, int n, const PORTER_T *alpha, const
             PORTER_T *A, int lda, const PORTER_T *B, int ldb, PORTER_T *C, int ldc), side, uplo, trans, diag, m, n,
             alpha, A, lda, B, ldb, C, ldc)
PORTER_TYPED(trsm, trsm, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, PORTER_BLAS(FillMode_t) uplo,
             PORTER_BLAS(Operation_t) trans, PORTER_BLAS(DiagType_t) diag, int m, int n, const PORTER_T *alpha, const
             PORTER_T *A, int lda, PORTER_T *B, int ldb), side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb)
PORTER_TYPED(trsmBatched, trsm_batched, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, PORTER_BLAS(FillMode_t)
             uplo, PORTER_BLAS(Operation_t) trans, PORTER_BLAS(DiagType_t) diag, int m, int n, const PORTER_T *alpha,
             const PORTER_T *const A[], int lda, PORTER_T *const B[], int ldb, int batch), side, uplo, trans, diag, m,
             n, alpha, A, lda, B, ldb, batch)
PORTER_TYPED(geam, geam, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa, PORTER_BLAS(Operation_t) transb, int m,
             int n, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *beta, const PORTER_T *B, int
             ldb, PORTER_T *C, int ldc), transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc)
PORTER_TYPED(dgmm, dgmm, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, int m, int n, const PORTER_T *A, int lda,
             const PORTER_T *x, int incx, PORTER_T *C, int ldc), side, m, n, A, lda, x, incx, C, ldc)

// Factorisations in batches.
PORTER_TYPED(getrfBatched, getrf_batched, (PORTER_BLAS_HANDLE, int n, PORTER_T *const A[], int lda, int *pivots, int
             *info, int batch), n, A, lda, pivots, info, batch)
PORTER_TYPED(getrsBatched, getrs_batched, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) trans, int n, int nrhs, const
             PORTER_T *const A[], int lda, const int *pivots, PORTER_T *const B[], int ldb, int *info, int batch),
             trans, n, nrhs, A, lda, pivots, B, ldb, info, batch)
PORTER_TYPED(getriBatched, getri_batched, (PORTER_BLAS_HANDLE, int n, const PORTER_T *const A[], int lda, const int
             *pivots, PORTER_T *const C[], int ldc, int *info, int batch), n, A, lda, pivots, C, ldc, info, batch)
#ifndef PORTER_SIM_HIP
PORTER_TYPED(matinvBatched, matinv_batched, (PORTER_BLAS_HANDLE, int n, const PORTER_T *const A[], int lda, PORTER_T
             *const C[], int ldc, int *info, int batch), n, A, lda, C, ldc, info, batch)
#endif

#undef PORTER_TYPED
#undef PORTER_T
#undef PORTER_R
