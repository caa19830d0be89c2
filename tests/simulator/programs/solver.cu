// Factorisations, singular values and eigenvalues; the test checks each result by what it must satisfy.
#include <cusolverDn.h>
#include "library_checks.h"

static cusolverDnHandle_t handle;
static int *info;

static void show_info(const char *name) { show(name, info, 1); }

static void cholesky() {
  const int n = 3;
  double *A = upload(std::vector<double>{4, 1, 2, 1, 5, 3, 2, 3, 6}), *B = numbers<double>(1, 6), *work;
  int size;
  cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, A, n, &size);
  cudaMalloc(&work, size * sizeof(double));
  cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, A, n, work, size, info), show("potrf", A, 9), show_info("potrf info");
  cusolverDnDpotrs(handle, CUBLAS_FILL_MODE_LOWER, n, 2, A, n, B, n, info), show("potrs", B, 6);
  double *bad = upload(std::vector<double>{1, 0, 0, 0, -1, 0, 0, 0, 1});
  cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, bad, n, work, size, info), show_info("potrf of an indefinite matrix");
  cuDoubleComplex *H = upload(std::vector<cuDoubleComplex>{{4, 0}, {1, -1}, {1, 1}, {3, 0}}), *complex_work;
  cusolverDnZpotrf_bufferSize(handle, CUBLAS_FILL_MODE_UPPER, 2, H, 2, &size);
  cudaMalloc(&complex_work, size * sizeof(cuDoubleComplex));
  cusolverDnZpotrf(handle, CUBLAS_FILL_MODE_UPPER, 2, H, 2, complex_work, size, info), show("zpotrf", H, 4);
}

static void elimination() {
  const int n = 4;
  float *A = numbers<float>(5, 16), *B = numbers<float>(6, 8), *N = numbers<float>(5, 16), *work;
  int size, *pivots = unwritten<int>(n);
  cusolverDnSgetrf_bufferSize(handle, n, n, A, n, &size);
  cudaMalloc(&work, size * sizeof(float));
  cusolverDnSgetrf(handle, n, n, A, n, work, pivots, info), show("pivots", pivots, n), show_info("getrf info");
  cusolverDnSgetrs(handle, CUBLAS_OP_N, n, 2, A, n, pivots, B, n, info), show("getrs", B, 8);
  cusolverDnSgetrs(handle, CUBLAS_OP_T, n, 1, A, n, pivots, B, n, info), show("getrs t", B, 4);
  cusolverDnSgetrf(handle, n, n, N, n, work, nullptr, info), show("getrf without pivots", N, 16);
  float *zero = upload(std::vector<float>(16, 0));
  cusolverDnSgetrf(handle, n, n, zero, n, work, pivots, info), show_info("getrf of zeros");
}

static void orthogonal() {
  const int m = 5, n = 3;
  double *A = numbers<double>(7, m * n), *tau = unwritten<double>(n), *C = numbers<double>(8, m * 2), *work;
  int size, other;
  cusolverDnDgeqrf_bufferSize(handle, m, n, A, m, &size);
  cusolverDnDormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 2, n, A, m, tau, C, m, &other);
  size = size > other ? size : other;
  cudaMalloc(&work, size * sizeof(double));
  cusolverDnDgeqrf(handle, m, n, A, m, tau, work, size, info), show("geqrf", A, m * n);
  cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 2, n, A, m, tau, C, m, work, size, info);
  show("ormqr", C, m * 2);
  cusolverDnDorgqr(handle, m, n, n, A, m, tau, work, size, info), show("orgqr", A, m * n);
}

static void spectrum() {
  const int m = 4, n = 3;
  double *A = numbers<double>(9, m * n), *S = unwritten<double>(n), *U = unwritten<double>(m * m);
  double *V = unwritten<double>(n * n), *work;
  int size;
  cusolverDnDgesvd_bufferSize(handle, m, n, &size);
  cudaMalloc(&work, size * sizeof(double));
  cusolverDnDgesvd(handle, 'A', 'A', m, n, A, m, S, U, m, V, n, work, size, nullptr, info);
  show("gesvd s", S, n), show("gesvd u", U, m * m), show("gesvd vt", V, n * n);
  gesvdjInfo_t parameters;
  cusolverDnCreateGesvdjInfo(&parameters);
  cusolverDnXgesvdjSetTolerance(parameters, 1e-10);
  cuDoubleComplex *Z = complex_numbers<cuDoubleComplex>(10, m * n), *P = unwritten<cuDoubleComplex>(m * n);
  cuDoubleComplex *Q = unwritten<cuDoubleComplex>(n * n), *complex_work;
  cusolverDnZgesvdj_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, Z, m, S, P, m, Q, n, &size, parameters);
  cudaMalloc(&complex_work, size * sizeof(cuDoubleComplex));
  cusolverDnZgesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, Z, m, S, P, m, Q, n, complex_work, size, info, parameters);
  show("gesvdj s", S, n), show("gesvdj u", P, m * n), show("gesvdj v", Q, n * n);
  cusolverDnDestroyGesvdjInfo(parameters);
  float *W = unwritten<float>(n), *E = numbers<float>(11, n * n), *real_work;
  cusolverDnSsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, E, n, W, &size);
  cudaMalloc(&real_work, size * sizeof(float));
  cusolverDnSsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, E, n, W, real_work, size, info);
  show("syevd w", W, n), show("syevd v", E, n * n);
  cuDoubleComplex *H = complex_numbers<cuDoubleComplex>(12, n * n);
  cusolverDnZheevd_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, H, n, S, &size);
  cusolverDnZheevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, H, n, S, complex_work, size, info);
  show("heevd w", S, n);
}

static void refusals() {
  double *A = numbers<double>(1, 9);
  int size;
  say("refused", (cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 3, A, 2, &size) == CUSOLVER_STATUS_INVALID_VALUE) +
                     2 * (cusolverDnDgeqrf(handle, 3, 3, A, 3, A, A, 0, info) == CUSOLVER_STATUS_INVALID_VALUE) +
                     4 * (cusolverDnDpotrf(nullptr, CUBLAS_FILL_MODE_LOWER, 3, A, 3, A, 3, info) ==
                          CUSOLVER_STATUS_NOT_INITIALIZED));
}

int main() {
  cusolverDnCreate(&handle);
  info = unwritten<int>(1);
  cholesky();
  elimination();
  orthogonal();
  spectrum();
  refusals();
  cusolverDnDestroy(handle);
  say("last error", int(cudaGetLastError()));
}
