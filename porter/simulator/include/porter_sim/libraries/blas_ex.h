// The functions whose types are arguments or half, and the copies. Included by blas_functions.h.

// Matrices.
PORTER_BLAS_FUNCTION(PORTER_BLAS(GemmEx), gemm_ex, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa,
                     PORTER_BLAS(Operation_t) transb, int m, int n, int k, const void *alpha, const void *A,
                     PORTER_BLAS_DATA_TYPE type_a, int lda, const void *B, PORTER_BLAS_DATA_TYPE type_b, int ldb,
                     const void *beta, void *C, PORTER_BLAS_DATA_TYPE type_c, int ldc, PORTER_BLAS(ComputeType_t)
                     compute, PORTER_BLAS(GemmAlgo_t) algorithm), transa, transb, m, n, k, alpha, A, type_a, lda, B,
                     type_b, ldb, beta, C, type_c, ldc, compute, algorithm)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GemmStridedBatchedEx), gemm_strided_ex, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t)
                     transa, PORTER_BLAS(Operation_t) transb, int m, int n, int k, const void *alpha, const void *A,
                     PORTER_BLAS_DATA_TYPE type_a, int lda, long long stride_a, const void *B, PORTER_BLAS_DATA_TYPE
                     type_b, int ldb, long long stride_b, const void *beta, void *C, PORTER_BLAS_DATA_TYPE type_c, int
                     ldc, long long stride_c, int batch, PORTER_BLAS(ComputeType_t) compute, PORTER_BLAS(GemmAlgo_t)
                     algorithm), transa, transb, m, n, k, alpha, A, type_a, lda, stride_a, B, type_b, ldb, stride_b,
                     beta, C, type_c, ldc, stride_c, batch, compute, algorithm)
PORTER_BLAS_FUNCTION(PORTER_BLAS(GemmBatchedEx), gemm_batched_ex, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t)
                     transa, PORTER_BLAS(Operation_t) transb, int m, int n, int k, const void *alpha, const void
                     *const A[], PORTER_BLAS_DATA_TYPE type_a, int lda, const void *const B[], PORTER_BLAS_DATA_TYPE
                     type_b, int ldb, const void *beta, void *const C[], PORTER_BLAS_DATA_TYPE type_c, int ldc, int
                     batch, PORTER_BLAS(ComputeType_t) compute, PORTER_BLAS(GemmAlgo_t) algorithm), transa, transb, m,
                     n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c, ldc, batch, compute, algorithm)
PORTER_BLAS_FUNCTION(PORTER_BLAS(SgemmEx), sgemm_ex, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa,
                     PORTER_BLAS(Operation_t) transb, int m, int n, int k, const ::porter_sim::single *alpha, const
                     void *A, PORTER_BLAS_DATA_TYPE type_a, int lda, const void *B, PORTER_BLAS_DATA_TYPE type_b, int
                     ldb, const ::porter_sim::single *beta, void *C, PORTER_BLAS_DATA_TYPE type_c, int ldc), transa,
                     transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c, ldc)
PORTER_BLAS_FUNCTION(PORTER_BLAS(Hgemm), hgemm, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa,
                     PORTER_BLAS(Operation_t) transb, int m, int n, int k, const __half *alpha, const __half *A, int
                     lda, const __half *B, int ldb, const __half *beta, __half *C, int ldc), transa, transb, m, n, k,
                     alpha, A, lda, B, ldb, beta, C, ldc)
PORTER_BLAS_FUNCTION(PORTER_BLAS(HgemmStridedBatched), hgemm_strided, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t)
                     transa, PORTER_BLAS(Operation_t) transb, int m, int n, int k, const __half *alpha, const __half
                     *A, int lda, long long stride_a, const __half *B, int ldb, long long stride_b, const __half
                     *beta, __half *C, int ldc, long long stride_c, int batch), transa, transb, m, n, k, alpha, A,
                     lda, stride_a, B, ldb, stride_b, beta, C, ldc, stride_c, batch)
PORTER_BLAS_FUNCTION(PORTER_BLAS(HgemmBatched), hgemm_batched, (PORTER_BLAS_HANDLE, PORTER_BLAS(Operation_t) transa,
                     PORTER_BLAS(Operation_t) transb, int m, int n, int k, const __half *alpha, const __half *const
                     A[], int lda, const __half *const B[], int ldb, const __half *beta, __half *const C[], int ldc,
                     int batch), transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batch)

// Vectors.
PORTER_BLAS_FUNCTION(PORTER_BLAS(AxpyEx), axpy_ex, (PORTER_BLAS_HANDLE, int n, const void *alpha,
                     PORTER_BLAS_DATA_TYPE type_alpha, const void *x, PORTER_BLAS_DATA_TYPE type_x, int incx, void *y,
                     PORTER_BLAS_DATA_TYPE type_y, int incy, PORTER_BLAS_DATA_TYPE execution), n, alpha, type_alpha,
                     x, type_x, incx, y, type_y, incy, execution)
PORTER_BLAS_FUNCTION(PORTER_BLAS(ScalEx), scal_ex, (PORTER_BLAS_HANDLE, int n, const void *alpha,
                     PORTER_BLAS_DATA_TYPE type_alpha, void *x, PORTER_BLAS_DATA_TYPE type_x, int incx,
                     PORTER_BLAS_DATA_TYPE execution), n, alpha, type_alpha, x, type_x, incx, execution)
PORTER_BLAS_FUNCTION(PORTER_BLAS(DotEx), dot_ex, (PORTER_BLAS_HANDLE, int n, const void *x, PORTER_BLAS_DATA_TYPE
                     type_x, int incx, const void *y, PORTER_BLAS_DATA_TYPE type_y, int incy, void *result,
                     PORTER_BLAS_DATA_TYPE type_result, PORTER_BLAS_DATA_TYPE execution), n, x, type_x, incx, y,
                     type_y, incy, result, type_result, execution)
PORTER_BLAS_FUNCTION(PORTER_BLAS(DotcEx), dotc_ex, (PORTER_BLAS_HANDLE, int n, const void *x, PORTER_BLAS_DATA_TYPE
                     type_x, int incx, const void *y, PORTER_BLAS_DATA_TYPE type_y, int incy, void *result,
                     PORTER_BLAS_DATA_TYPE type_result, PORTER_BLAS_DATA_TYPE execution), n, x, type_x, incx, y,
                     type_y, incy, result, type_result, execution)
PORTER_BLAS_FUNCTION(PORTER_BLAS(Nrm2Ex), nrm2_ex, (PORTER_BLAS_HANDLE, int n, const void *x, PORTER_BLAS_DATA_TYPE
                     type_x, int incx, void *result, PORTER_BLAS_DATA_TYPE type_result, PORTER_BLAS_DATA_TYPE
                     execution), n, x, type_x, incx, result, type_result, execution)

// Copies: PORTER_BLAS_PLAIN is a function without a handle.
PORTER_BLAS_PLAIN(PORTER_BLAS(SetVector), set_vector, (int n, int element_bytes, const void *x, int incx, void *y, int
                  incy), n, element_bytes, x, incx, y, incy)
PORTER_BLAS_PLAIN(PORTER_BLAS(SetVectorAsync), set_vector, (int n, int element_bytes, const void *x, int incx, void
                  *y, int incy, PORTER_RUNTIME(Stream_t) stream), n, element_bytes, x, incx, y, incy)
PORTER_BLAS_PLAIN(PORTER_BLAS(GetVector), get_vector, (int n, int element_bytes, const void *x, int incx, void *y, int
                  incy), n, element_bytes, x, incx, y, incy)
PORTER_BLAS_PLAIN(PORTER_BLAS(GetVectorAsync), get_vector, (int n, int element_bytes, const void *x, int incx, void
                  *y, int incy, PORTER_RUNTIME(Stream_t) stream), n, element_bytes, x, incx, y, incy)
PORTER_BLAS_PLAIN(PORTER_BLAS(SetMatrix), set_matrix, (int rows, int columns, int element_bytes, const void *A, int
                  lda, void *B, int ldb), rows, columns, element_bytes, A, lda, B, ldb)
PORTER_BLAS_PLAIN(PORTER_BLAS(SetMatrixAsync), set_matrix, (int rows, int columns, int element_bytes, const void *A,
                  int lda, void *B, int ldb, PORTER_RUNTIME(Stream_t) stream), rows, columns, element_bytes, A, lda,
                  B, ldb)
PORTER_BLAS_PLAIN(PORTER_BLAS(GetMatrix), get_matrix, (int rows, int columns, int element_bytes, const void *A, int
                  lda, void *B, int ldb), rows, columns, element_bytes, A, lda, B, ldb)
PORTER_BLAS_PLAIN(PORTER_BLAS(GetMatrixAsync), get_matrix, (int rows, int columns, int element_bytes, const void *A,
                  int lda, void *B, int ldb, PORTER_RUNTIME(Stream_t) stream), rows, columns, element_bytes, A, lda,
                  B, ldb)
