// Two owners free one buffer.
#include <cstdio>

struct Buffer {
  int *data;
  void release() {
    cudaFree(data);  // BUG
#ifndef BUG
    data = nullptr;
#endif
  }
};

__global__ void clear(int *x) { x[threadIdx.x] = 0; }

int main() {
  Buffer buffer;
  cudaMalloc(&buffer.data, 64 * sizeof(int));
  clear<<<1, 64>>>(buffer.data);
  buffer.release();
  buffer.release();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
