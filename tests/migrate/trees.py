"""A small CUDA project that is ported in a second: kernels, a header, host code, build files and data."""

from __future__ import annotations

PROJECT = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(app CUDA)
add_executable(app src/app.cu)
""",
    "Makefile": "app: src/app.cu\n\tnvcc -arch=sm_80 -o $@ $<\n",
    "src/app.cu": """\
#include <cstdio>
#include "scale.cuh"

__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scale(in[i]);
}

int main() {
  float host[64], *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(in, out, 64);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\\n", host[3]);
  return 0;
}
""",
    "src/scale.cuh": """\
#pragma once
#include <cuda_runtime.h>
__device__ inline float scale(float x) { return 2 * x; }
""",
    "src/device.cpp": """\
#include <cuda_runtime.h>
int count() { int n = 0; cudaGetDeviceCount(&n); return n; }
""",
    "src/plain.cpp": "int plain() { return 1; }\n",
    "data/notes.txt": "cudaMalloc is not code here\n",
    "tool.sh": "#!/bin/sh\n",
}
