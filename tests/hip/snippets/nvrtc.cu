// expect: builds, LIB014 6, LIB013 7
#include <cuda_runtime.h>
#include <nvrtc.h>
__global__ void k(int* x) { x[threadIdx.x] = 1; }
void compile(const char* text, char* code) {
  nvrtcProgram program; nvrtcCreateProgram(&program, text, "k.cu", 0, nullptr, nullptr);
  const char* options[] = {"--gpu-architecture=compute_80", "--use_fast_math", "--std=c++17"};
  nvrtcCompileProgram(program, 3, options);
  nvrtcGetPTX(program, code);
  nvrtcDestroyProgram(&program);
}
