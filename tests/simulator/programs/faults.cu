// One fault for each letter given as argument.
#include <cassert>
#include <cstdio>

__device__ float load(const float *p, int i) {
  return p[i];  // out of bounds
}
__global__ void past_the_end(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = load(x, i + 1);
}
__global__ void before_the_start(int *h) {
  h[-1] = 3;  // before the start
}
__global__ void into_the_slack(int *h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) h[i] = i;  // into the slack
}
__global__ void divergent_barrier(int *h) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    h[0] = 1;
    __syncthreads();  // divergent barrier
  }
}
__global__ void never_arrives(int *h) {
  if (threadIdx.x < 16) {
    h[0] = __shfl_down_sync(0xffffffff, threadIdx.x, 1);  // deadlock
  }
  __syncthreads();
}
__global__ void not_named(int *h) {
  h[threadIdx.x] = __shfl_sync(0xffff, threadIdx.x, 0);  // not named
}
__global__ void asserts() {
  assert(threadIdx.x < 3);  // assertion
}
__global__ void use_after_free(int *h) {
  h[threadIdx.x] = 1;  // freed
}
__global__ void deep(int *h) {
  volatile char big[300000];
  big[threadIdx.x] = 1;
  h[0] = big[5];
}
__global__ void uninitialised(float *h) {
  __shared__ float s[64];
  if (threadIdx.x != 3) s[threadIdx.x] = 1;
  __syncthreads();
  h[threadIdx.x] = s[threadIdx.x];
}
__global__ void divides(int *h, int zero) {
  h[0] = 5 / zero;  // division
}
__global__ void past_shared(int *h, int at) {
  extern __shared__ int s[];
  s[at] = 1;  // past shared
  h[0] = s[0];
}
__global__ void traps() {
  __trap();  // trap
}
__global__ void __launch_bounds__(64) bounded(int *h) { h[0] = 1; }

int main(int, char **arguments) {
  float *x, *y;
  int *h;
  cudaMalloc(&x, 1024 * sizeof(float));
  cudaMalloc(&y, 1024 * sizeof(float));
  cudaMalloc(&h, 64 * sizeof(int));
  cudaMemset(h, 0, 64 * sizeof(int));
  float values[64];
  switch (arguments[1][0]) {
    case 'a': past_the_end<<<4, 256>>>(x, y); break;
    case 'b': before_the_start<<<1, 1>>>(h); break;
    case 'c': divergent_barrier<<<1, 64>>>(h); break;
    case 'd': never_arrives<<<1, 64>>>(h); break;
    case 'e': not_named<<<1, 32>>>(h); break;
    case 'f': asserts<<<1, 64>>>(); break;
    case 'g': cudaFree(h), use_after_free<<<1, 64>>>(h); break;
    case 'h': deep<<<1, 64>>>(h); break;
    case 'i':
      uninitialised<<<1, 64>>>(x);
      cudaMemcpy(values, x, sizeof values, cudaMemcpyDeviceToHost);
      printf("%g %g\n", values[2], values[3]);
      break;
    case 'j': divides<<<1, 64>>>(h, 0); break;
    case 'k': divides<<<1, 2048>>>(h, 1); break;  // launch
    case 'l': past_shared<<<1, 1, 64>>>(h, 16); break;
    case 'm': traps<<<1, 1>>>(); break;
    case 'n': divides<<<1, 1, 1 << 20>>>(h, 1); break;  // too much shared
    case 'o': bounded<<<1, 65>>>(h); break;  // launch bounds
    case 'q': {
      int *odd;
      cudaMalloc(&odd, 94 * sizeof(int));
      into_the_slack<<<4, 64>>>(odd, 94);
      break;
    }
  }
  cudaError_t status = cudaDeviceSynchronize();
  if (status == cudaSuccess) status = cudaGetLastError();
  printf("%s\n", cudaGetErrorName(status));
  return status != cudaSuccess;
}
