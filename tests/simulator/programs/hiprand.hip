// hipRAND's two interfaces: six words of Philox, seed 1234, offset 3; the first of XORWOW on the host interface.
#include <cstdio>

#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>

__global__ void draw(unsigned *out) {
  hiprandStatePhilox4_32_10_t state;
  hiprand_init(1234, 0, 3, &state);
  for (int i = 0; i < 6; ++i) out[i] = hiprand(&state);
}

int main() {
  unsigned *device, words[6];
  hipMalloc(&device, sizeof words);
  draw<<<1, 1>>>(device);
  hipMemcpy(words, device, sizeof words, hipMemcpyDeviceToHost);
  for (unsigned word : words) printf("%08x ", word);
  hiprandGenerator_t generator;
  hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_XORWOW);
  hiprandSetPseudoRandomGeneratorSeed(generator, 1234);
  hiprandStatus_t status = hiprandGenerate(generator, device, 1);
  hipMemcpy(words, device, 4, hipMemcpyDeviceToHost);
  printf("%08x\n", words[0]);
  hiprandDestroyGenerator(generator);
  return status;
}
