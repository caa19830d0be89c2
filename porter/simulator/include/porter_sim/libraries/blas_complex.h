// The functions that only the complex types have.
#define PORTER_T PORTER_BLAS_T
#define PORTER_R PORTER_BLAS_R
#define PORTER_TYPED(name, core, parameters, ...) \
  PORTER_BLAS_FUNCTION(PORTER_BLAS_TYPED(name), core, parameters, __VA_ARGS__)

PORTER_TYPED(dotu, dot, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *result), n, x, incx, y, incy,
         result)
PORTER_TYPED(dotc, dotc, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *result), n, x, incx, y,
         incy, result)
PORTER_BLAS_FUNCTION(PORTER_BLAS_BY_REAL(scal), scal, (PORTER_BLAS_HANDLE, int n, const PORTER_R *alpha, PORTER_T *x, int incx), n, alpha,
                     x, incx)
PORTER_BLAS_FUNCTION(PORTER_BLAS_BY_REAL(rot), rot,
                     (PORTER_BLAS_HANDLE, int n, PORTER_T *x, int incx, PORTER_T *y, int incy, const PORTER_R *c, const PORTER_R *s), n, x, incx, y,
                     incy, c, s)

// A matrix and vectors.
PORTER_TYPED(geru, ger, (PORTER_BLAS_HANDLE, int m, int n, const PORTER_T *alpha, const PORTER_T *x, int incx, const
             PORTER_T *y, int incy, PORTER_T *A, int lda), m, n, alpha, x, incx, y, incy, A, lda)
PORTER_TYPED(gerc, gerc, (PORTER_BLAS_HANDLE, int m, int n, const PORTER_T *alpha, const PORTER_T *x, int incx, const
             PORTER_T *y, int incy, PORTER_T *A, int lda), m, n, alpha, x, incx, y, incy, A, lda)
PORTER_TYPED(hemv, hemv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n,
             alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(hbmv, hbmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, int k, const PORTER_T *alpha, const
             PORTER_T *A, int lda, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n,
             k, alpha, A, lda, x, incx, beta, y, incy)
PORTER_TYPED(hpmv, hpmv, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *AP, const PORTER_T *x, int incx, const PORTER_T *beta, PORTER_T *y, int incy), uplo, n, alpha,
             AP, x, incx, beta, y, incy)
PORTER_TYPED(her, her, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_R *alpha, const PORTER_T
             *x, int incx, PORTER_T *A, int lda), uplo, n, alpha, x, incx, A, lda)
PORTER_TYPED(hpr, hpr, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_R *alpha, const PORTER_T
             *x, int incx, PORTER_T *AP), uplo, n, alpha, x, incx, AP)
PORTER_TYPED(her2, her2, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *A, int lda), uplo, n, alpha, x, incx, y,
             incy, A, lda)
PORTER_TYPED(hpr2, hpr2, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, int n, const PORTER_T *alpha, const
             PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *AP), uplo, n, alpha, x, incx, y, incy, AP)

// Matrices.
PORTER_TYPED(hemm, hemm, (PORTER_BLAS_HANDLE, PORTER_BLAS(SideMode_t) side, PORTER_BLAS(FillMode_t) uplo, int m, int
             n, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_T *beta,
             PORTER_T *C, int ldc), side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(herk, herk, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n, int
             k, const PORTER_R *alpha, const PORTER_T *A, int lda, const PORTER_R *beta, PORTER_T *C, int ldc), uplo,
             trans, n, k, alpha, A, lda, beta, C, ldc)
PORTER_TYPED(her2k, her2k, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n,
             int k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_R
             *beta, PORTER_T *C, int ldc), uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_TYPED(herkx, herkx, (PORTER_BLAS_HANDLE, PORTER_BLAS(FillMode_t) uplo, PORTER_BLAS(Operation_t) trans, int n,
             int k, const PORTER_T *alpha, const PORTER_T *A, int lda, const PORTER_T *B, int ldb, const PORTER_R
             *beta, PORTER_T *C, int ldc), uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc)

#undef PORTER_TYPED
#undef PORTER_T
#undef PORTER_R
