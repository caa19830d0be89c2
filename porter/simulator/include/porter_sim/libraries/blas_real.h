// The functions that only the real types have.
#define PORTER_T PORTER_BLAS_T
#define PORTER_TYPED(name, core, parameters, ...) \
  PORTER_BLAS_FUNCTION(PORTER_BLAS_TYPED(name), core, parameters, __VA_ARGS__)

PORTER_TYPED(dot, dot, (PORTER_BLAS_HANDLE, int n, const PORTER_T *x, int incx, const PORTER_T *y, int incy, PORTER_T *result), n, x, incx, y, incy,
         result)
PORTER_TYPED(rotm, rotm, (PORTER_BLAS_HANDLE, int n, PORTER_T *x, int incx, PORTER_T *y, int incy, const PORTER_T *param), n, x, incx, y, incy,
         param)
PORTER_TYPED(rotmg, rotmg, (PORTER_BLAS_HANDLE, PORTER_T *d1, PORTER_T *d2, PORTER_T *x1, const PORTER_T *y1, PORTER_T *param), d1, d2, x1, y1, param)

#undef PORTER_TYPED
#undef PORTER_T
