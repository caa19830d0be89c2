// expect: builds
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
__global__ void k(float* x) {
  using Reduce = cub::BlockReduce<float, 128>;
  using Warp = cub::WarpReduce<float>;
  __shared__ Reduce::TempStorage t; __shared__ Warp::TempStorage w[4];
  float v = Reduce(t).Reduce(x[threadIdx.x], cub::Max());
  x[threadIdx.x] = v + Warp(w[threadIdx.x / 32]).Sum(v);
}
void f(float* x, int n, cudaStream_t s) {
  thrust::sort(thrust::cuda::par.on(s), x, x + n);
  size_t bytes = 0; cub::DeviceReduce::Sum(nullptr, bytes, x, x, n, s);
  k<<<1, 128, 0, s>>>(x);
}
