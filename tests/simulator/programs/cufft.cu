// Prints transforms, a line each: `name: numbers`. Every input is ((37 i mod 101) - 50) / 16 at the i-th real number.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>
#include <cufft.h>

template <class Real>
struct Memory {
  std::vector<Real> host;
  Real *device;
  explicit Memory(int count) : host(count) {
    for (int i = 0; i < count; ++i) host[i] = Real((i * 37 % 101) - 50) / 16;
    cudaMalloc(&device, count * sizeof(Real));
    cudaMemcpy(device, host.data(), count * sizeof(Real), cudaMemcpyHostToDevice);
  }
  void print(const char *name, int status) {
    if (status) printf("status %d of ", status);
    cudaMemcpy(host.data(), device, host.size() * sizeof(Real), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (Real x : host) printf(" %.17g", double(x));
    printf("\n");
    cudaFree(device);
  }
};

int main() {
  cufftHandle plan;
  char name[80];
  for (int n : {1, 2, 8, 12, 30, 49, 97, 127, 256, 262}) {
    Memory<double> m(2 * n);
    cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
    snprintf(name, sizeof name, "z2z %d", n);
    m.print(name, cufftExecZ2Z(plan, (cufftDoubleComplex *)m.device, (cufftDoubleComplex *)m.device, CUFFT_FORWARD));
    cufftDestroy(plan);
  }
  {
    Memory<float> m(32);
    cufftPlan1d(&plan, 8, CUFFT_C2C, 2);
    auto *c = (cufftComplex *)m.device;
    cufftExecC2C(plan, c, c, CUFFT_FORWARD);
    m.print("there and back 8x2", cufftExecC2C(plan, c, c, CUFFT_INVERSE));
    cufftDestroy(plan);
  }
  for (int n : {7, 8}) {
    Memory<float> in(2 * n), out(2 * (n / 2 + 1) * 2);
    cufftPlan1d(&plan, n, CUFFT_R2C, 2);
    snprintf(name, sizeof name, "r2c %dx2", n);
    out.print(name, cufftExecR2C(plan, in.device, (cufftComplex *)out.device));
    Memory<float> same(2 * (n / 2 + 1) * 2);
    snprintf(name, sizeof name, "r2c %dx2 in place", n);
    same.print(name, cufftExecR2C(plan, same.device, (cufftComplex *)same.device));
    cufftDestroy(plan);
    Memory<double> half(2 * (n / 2 + 1)), real(n);
    cufftPlan1d(&plan, n, CUFFT_Z2D, 1);
    snprintf(name, sizeof name, "z2d %d", n);
    real.print(name, cufftExecZ2D(plan, (cufftDoubleComplex *)half.device, real.device));
    cufftDestroy(plan);
  }
  {
    Memory<double> in(24), out(4 * 4 * 2), back(24);
    cufftPlan2d(&plan, 4, 6, CUFFT_D2Z);
    cufftExecD2Z(plan, in.device, (cufftDoubleComplex *)out.device);
    cufftHandle other;
    cufftPlan2d(&other, 4, 6, CUFFT_Z2D);
    int status = cufftExecZ2D(other, (cufftDoubleComplex *)out.device, back.device);
    out.print("d2z 4x6", 0);
    back.print("z2d 4x6", status);
    cufftDestroy(plan), cufftDestroy(other);
  }
  {
    Memory<double> m(48);
    cufftPlan3d(&plan, 2, 3, 4, CUFFT_Z2Z);
    auto *z = (cufftDoubleComplex *)m.device;
    m.print("z2z 2x3x4 inverse", cufftExecZ2Z(plan, z, z, CUFFT_INVERSE));
    cufftDestroy(plan);
  }
  {
    int n[] = {4}, in_embed[] = {6}, out_embed[] = {5};
    Memory<float> in(64), out(64);
    cufftPlanMany(&plan, 1, n, in_embed, 2, 13, out_embed, 3, 16, CUFFT_C2C, 2);
    out.print("many strided", cufftExecC2C(plan, (cufftComplex *)in.device, (cufftComplex *)out.device, CUFFT_FORWARD));
    cufftDestroy(plan);
  }
  {
    int n[] = {3, 4}, embed[] = {3, 6};
    Memory<float> m(72);
    cufftPlanMany(&plan, 2, n, embed, 1, 18, embed, 1, 18, CUFFT_C2C, 2);
    auto *c = (cufftComplex *)m.device;
    m.print("many embedded", cufftExecC2C(plan, c, c, CUFFT_FORWARD));
    cufftDestroy(plan);
  }
  cufftComplex *small;
  cudaMalloc(&small, 64);
  printf("statuses: %d %d %d", cufftPlan1d(&plan, 0, CUFFT_C2C, 1), cufftPlan1d(&plan, 8, CUFFT_C2C, 0),
         cufftPlan1d(&plan, 8, cufftType(0x77), 1));
  cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  printf(" %d %d", cufftExecC2C(plan, small, small, 0), cufftDestroy(plan));
  printf(" %d\n", cufftExecC2C(plan, small, small, CUFFT_FORWARD));
  fflush(stdout);
  cufftPlan1d(&plan, 9, CUFFT_C2C, 1);
  return cufftExecC2C(plan, small, small, CUFFT_FORWARD);  // past the end
}
