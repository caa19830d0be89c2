// A device buffer with its contents on the host; launches happen in here too, so that headers are rewritten.
#pragma once
#include "checks.h"

template <class T>
struct Buffer {
  T *device;
  size_t count;
  explicit Buffer(size_t n, T value = T()) : count(n) {
    std::vector<T> host(n, value);
    cudaMalloc(&device, n * sizeof(T));
    put(host);
  }
  void put(const std::vector<T> &host) { cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> get() const {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
};

template <class T>
__global__ void fill_kernel(T *out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

template <class T>
void fill(Buffer<T> &buffer, T value) {
  fill_kernel<<<unsigned(buffer.count + 63) / 64, 64>>>(buffer.device, value, int(buffer.count));
}
