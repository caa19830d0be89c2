// expect: refused, LIB004 5, LIB013 7
#include <cuda.h>
#include <nvrtc.h>
void f(nvrtcProgram p, CUdeviceptr d, void* h) {
  CUmodule m; cuModuleLoad(&m, "k.ptx");
  cuMemcpyHtoD(d, h, 16); cuMemcpyAsync(d, d, 16, 0);
  const char* o[] = {"--gpu-architecture=compute_80"}; nvrtcCompileProgram(p, 1, o);
}
