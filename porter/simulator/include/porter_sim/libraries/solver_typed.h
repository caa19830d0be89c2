// The functions that all four types have. Included by solver_functions.h once for each type.

// Cholesky.
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(potrf_bufferSize, potrf_bufferSize), potrf_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_FILL uplo, int n, PORTER_T *A, int lda, int *lwork), (void *)handle, uplo, n, A,
                       lda, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(potrf, potrf), potrf, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_FILL uplo, int
                       n, PORTER_T *A, int lda, PORTER_T *work, int lwork, int *info), (void *)handle, uplo, n, A,
                       lda, work, lwork, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(potrs, potrs), potrs, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_FILL uplo, int
                       n, int nrhs, const PORTER_T *A, int lda, PORTER_T *B, int ldb, int *info), (void *)handle,
                       uplo, n, nrhs, A, lda, B, ldb, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(potri_bufferSize, potri_bufferSize), potrf_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_FILL uplo, int n, PORTER_T *A, int lda, int *lwork), (void *)handle, uplo, n, A,
                       lda, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(potri, potri), potri, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_FILL uplo, int
                       n, PORTER_T *A, int lda, PORTER_T *work, int lwork, int *info), (void *)handle, uplo, n, A,
                       lda, work, lwork, info)

// LU; without pivots where the array is null.
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(getrf_bufferSize, getrf_bufferSize), getrf_size, (PORTER_SOLVER_HANDLE, int
                       m, int n, PORTER_T *A, int lda, int *lwork), (void *)handle, m, n, A, lda, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(getrf, getrf), getrf, (PORTER_SOLVER_HANDLE, int m, int n, PORTER_T *A, int
                       lda, PORTER_T *work, int *pivots, int *info), (void *)handle, m, n, A, lda, work, pivots, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(getrs, getrs), getrs, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_OPERATION trans,
                       int n, int nrhs, const PORTER_T *A, int lda, const int *pivots, PORTER_T *B, int ldb, int
                       *info), (void *)handle, trans, n, nrhs, A, lda, pivots, B, ldb, info)

// QR.
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(geqrf_bufferSize, geqrf_bufferSize), getrf_size, (PORTER_SOLVER_HANDLE, int
                       m, int n, PORTER_T *A, int lda, int *lwork), (void *)handle, m, n, A, lda, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(geqrf, geqrf), geqrf, (PORTER_SOLVER_HANDLE, int m, int n, PORTER_T *A, int
                       lda, PORTER_T *tau, PORTER_T *work, int lwork, int *info), (void *)handle, m, n, A, lda, tau,
                       work, lwork, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(orgqr_bufferSize, ungqr_bufferSize), orgqr_size, (PORTER_SOLVER_HANDLE, int
                       m, int n, int k, const PORTER_T *A, int lda, const PORTER_T *tau, int *lwork), (void *)handle,
                       m, n, k, A, lda, tau, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(orgqr, ungqr), orgqr, (PORTER_SOLVER_HANDLE, int m, int n, int k, PORTER_T
                       *A, int lda, const PORTER_T *tau, PORTER_T *work, int lwork, int *info), (void *)handle, m, n,
                       k, A, lda, tau, work, lwork, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(ormqr_bufferSize, unmqr_bufferSize), ormqr_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_SIDE side, PORTER_SOLVER_OPERATION trans, int m, int n, int k, const PORTER_T *A,
                       int lda, const PORTER_T *tau, const PORTER_T *C, int ldc, int *lwork), (void *)handle, side,
                       trans, m, n, k, A, lda, tau, C, ldc, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(ormqr, unmqr), ormqr, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_SIDE side,
                       PORTER_SOLVER_OPERATION trans, int m, int n, int k, const PORTER_T *A, int lda, const PORTER_T
                       *tau, PORTER_T *C, int ldc, PORTER_T *work, int lwork, int *info), (void *)handle, side, trans,
                       m, n, k, A, lda, tau, C, ldc, work, lwork, info)

// Singular values.
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(gesvd_bufferSize, gesvd_bufferSize), gesvd_size, (PORTER_SOLVER_HANDLE, int
                       m, int n, int *lwork), (void *)handle, m, n, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(gesvd, gesvd), gesvd, (PORTER_SOLVER_HANDLE, signed char jobu, signed char
                       jobvt, int m, int n, PORTER_T *A, int lda, PORTER_R *S, PORTER_T *U, int ldu, PORTER_T *VT, int
                       ldvt, PORTER_T *work, int lwork, PORTER_R *rwork, int *info), (void *)handle, jobu, jobvt, m,
                       n, A, lda, S, U, ldu, VT, ldvt, work, lwork, rwork, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(gesvdj_bufferSize, gesvdj_bufferSize), gesvdj_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_EIG_MODE jobz, int econ, int m, int n, const PORTER_T *A, int lda, const PORTER_R
                       *S, const PORTER_T *U, int ldu, const PORTER_T *V, int ldv, int *lwork, PORTER_GESVDJ_INFO
                       params), (void *)handle, jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, lwork, params)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(gesvdj, gesvdj), gesvdj, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_EIG_MODE
                       jobz, int econ, int m, int n, PORTER_T *A, int lda, PORTER_R *S, PORTER_T *U, int ldu, PORTER_T
                       *V, int ldv, PORTER_T *work, int lwork, int *info, PORTER_GESVDJ_INFO params), (void *)handle,
                       jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params)

// Eigenvalues of symmetric and Hermitian matrices.
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(syevd_bufferSize, heevd_bufferSize), syevd_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_EIG_MODE jobz, PORTER_SOLVER_FILL uplo, int n, const PORTER_T *A, int lda, const
                       PORTER_R *W, int *lwork), (void *)handle, jobz, uplo, n, A, lda, W, lwork)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(syevd, heevd), syevd, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_EIG_MODE jobz,
                       PORTER_SOLVER_FILL uplo, int n, PORTER_T *A, int lda, PORTER_R *W, PORTER_T *work, int lwork,
                       int *info), (void *)handle, jobz, uplo, n, A, lda, W, work, lwork, info)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(syevj_bufferSize, heevj_bufferSize), syevj_size, (PORTER_SOLVER_HANDLE,
                       PORTER_SOLVER_EIG_MODE jobz, PORTER_SOLVER_FILL uplo, int n, const PORTER_T *A, int lda, const
                       PORTER_R *W, int *lwork, PORTER_SYEVJ_INFO params), (void *)handle, jobz, uplo, n, A, lda, W,
                       lwork, params)
PORTER_SOLVER_FUNCTION(PORTER_SOLVER_TYPED(syevj, heevj), syevj, (PORTER_SOLVER_HANDLE, PORTER_SOLVER_EIG_MODE jobz,
                       PORTER_SOLVER_FILL uplo, int n, PORTER_T *A, int lda, PORTER_R *W, PORTER_T *work, int lwork,
                       int *info, PORTER_SYEVJ_INFO params), (void *)handle, jobz, uplo, n, A, lda, W, work, lwork,
                       info, params)

#undef PORTER_T
#undef PORTER_R
#undef PORTER_SOLVER_TYPED
