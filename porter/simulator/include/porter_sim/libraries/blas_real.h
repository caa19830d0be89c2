// The functions that only the real types have.
#define PORTER_T PORTER_BLAS_T
#define PORTER_TYPED(name, core, parameters, ...) \
  PORTER_BLAS_FUNCTION(PORTER_BLAS_TYPED(name), core, parameters, __VA_ARGS__)

PORTER_TYPED(dot, dot, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *result), n, x, incx, y, incy,
         result)
PORTER_TYPED(rotm, rotm, (PORTER_BLAS_HANDLE, int n, PORTER_T *x, int incx, PORTER_T *y, int incy, const PORTER_T *param), n, x, incx, y, incy,
         param)
PORTER_TYPED(rotmg, rotmg, (PORTER_BLAS_HANDLE, PORTER_T *d1, PORTER_T *d2, PORTER_T *x1, const PORTER_T *y1, PORTER_T *param), d1, d2, x1, y1, param)

// A symmetric matrix and vectors.
PORTER_TYPED(ger, ger, (PORTER_BLAS_HANDLE, int m, int n, const PORTER_T *alpha, const PORTER_T *x, int incx, const
             PORTER_T *y, int incy, PORTER_T *A, int lda), m, n, alpha, x, incx, y, incy, A, lda)
PORTER_TYPED(symv, hemv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n,
             alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(sbmv, hbmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, int k, const PORTER_T *alpha, const
             PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n,
             k, alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(spmv, hpmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *AP, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n, alpha,
             AP, x, incx, beta, y, incy)
PORTER_TYPED(syr, her, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const PORTER_T
             *x, int incx, PORTER_T *A, int lda), uplo, n, alpha, x, incx, A, lda)
PORTER_TYPED(spr, hpr, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const PORTER_T
             *x, int incx, PORTER_T *AP), uplo, n, alpha, x, incx, AP)
PORTER_TYPED(syr2, her2, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *A, int lda), uplo, n, alpha, x, incx, y,
             incy, A, lda)
PORTER_TYPED(spr2, hpr2, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *AP), uplo, n, alpha, x, incx, y, incy, AP)

#undef PORTER_TYPED
#undef PORTER_T
