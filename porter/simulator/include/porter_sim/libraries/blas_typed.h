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

#undef PORTER_TYPED
#undef PORTER_T
#undef PORTER_R
