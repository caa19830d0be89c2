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

#undef PORTER_TYPED
#undef PORTER_T
#undef PORTER_R
