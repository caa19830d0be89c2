// expect: builds
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
__global__ void k(curandState* s, float* x) { curand_init(1, threadIdx.x, 0, s); x[threadIdx.x] = curand_uniform(s) + curand_normal(s); }
void f(cufftComplex* z, float* x) {
  cufftHandle p; cufftPlan1d(&p, 64, CUFFT_C2C, 2); cufftExecC2C(p, z, z, CUFFT_INVERSE); cufftDestroy(p);
  curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10); curandGenerateUniform(g, x, 64);
}
