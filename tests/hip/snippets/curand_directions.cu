// expect: runs
#include <curand.h>
#include <curand_kernel.h>
#include <cstdio>
__global__ void k(curandDirectionVectors32_t* v, float* x) {
  curandStateSobol32_t state;
  curand_init(v[threadIdx.x % 2], threadIdx.x, &state);
  x[threadIdx.x] = curand_uniform(&state);
}
int main() {
  const int n = 128;
  float h[n], *d;
  curandDirectionVectors32_t *directions, *on_device;
  curandDirectionVectors64_t* wide;
  if (curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6) != CURAND_STATUS_SUCCESS) return 1;
  if (curandGetDirectionVectors32(&directions, CURAND_DIRECTION_VECTORS_32_JOEKUO6) != CURAND_STATUS_SUCCESS) return 1;
  cudaMalloc(&d, sizeof(h));
  cudaMalloc(&on_device, 2 * sizeof(*directions));
  cudaMemcpy(on_device, directions, 2 * sizeof(*directions), cudaMemcpyHostToDevice);
  k<<<1, n>>>(on_device, d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%g ", h[i]);
  return cudaFree(d);
}
