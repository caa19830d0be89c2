// Shared by the programs whose output an NVIDIA GPU has printed too: numbers to work on, and a line for each result.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

constexpr int count = 2048;

// A hash of `i`; every few of them has bytes and halves at the ends of their ranges.
__host__ __device__ inline unsigned word(unsigned i) {
  unsigned x = i * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  x ^= x >> 16;
  return x;
}
__host__ __device__ inline unsigned extreme_word(unsigned i) {
  const unsigned x = word(i);
  const bool positive = i & 16;
  switch (i % 9) {
    case 1: return x & 0x80ff7f00u;
    case 2: return x | 0x80807f7fu;
    case 3: return positive ? 0x7fff7fffu : 0x80008000u;
    case 4: return positive ? 0x7f7f7f7fu : 0x80808080u;
    case 5: return x & 0x01010101u;
    default: return x;
  }
}

// Runs `kernel(out, arguments...)` on `count` threads, and prints the name and a hash of what they wrote.
template <class Kernel, class... Arguments>
void show(const char *name, Kernel kernel, Arguments... arguments) {
  static unsigned *out = nullptr;
  static unsigned host[count];
  if (!out) cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  kernel<<<count / 64, 64>>>(out, arguments...);
  const cudaError_t status = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  unsigned long long hash = 14695981039346656037ull;
  for (unsigned value : host) hash = (hash ^ value) * 1099511628211ull;
  printf("%s %016llx %s\n", name, hash, cudaGetErrorName(status));
}

#define THREAD const unsigned i = blockIdx.x * blockDim.x + threadIdx.x
