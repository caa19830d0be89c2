// expect: runs, MEM001 8, MEM001 9, MEM001 10, MEM001 12
#include <cuda_runtime.h>
#include <cstdio>
// Filtered, wrapped, mirrored and fetched; through an object and a surface.
__device__ float mine(float x) { return x; }
__global__ void k(cudaTextureObject_t image, cudaTextureObject_t bytes, cudaSurfaceObject_t s, int* x) {
  const int i = threadIdx.x;
  const float filtered = tex2D<float>(image, i * 0.11f - 3.0f, i * 0.07f);
  const float4 fraction = tex1Dfetch<float4>(bytes, i);
  const float there = surf2Dread<float>(s, (i % 16) * 4, i / 16);
  x[i] = (int)(filtered * 64.0f) + (int)(fraction.y * 255.0f + 0.5f) + (int)mine(there);
  surf2Dwrite(there + 1.0f, s, (i % 16) * 4, i / 16);
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  float image[16 * 16];
  for (int i = 0; i < 256; ++i) image[i] = (i * 29 + 3) % 64;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(array, 0, 0, image, 64, 64, 16, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeWrap;
  how.addressMode[1] = cudaAddressModeMirror;
  how.filterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  cudaTextureObject_t t, bytes;
  cudaCreateTextureObject(&t, &resource, &how, NULL);
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &resource);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = d;
  linear.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  linear.res.linear.sizeInBytes = sizeof(h);
  cudaTextureDesc plain = {};
  plain.readMode = cudaReadModeNormalizedFloat;
  cudaCreateTextureObject(&bytes, &linear, &plain, NULL);
  k<<<1, n>>>(t, bytes, s, d);
  cudaMemcpy2DFromArray(image, 64, array, 0, 0, 64, 16, cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(t);
  cudaDestroySurfaceObject(s);
  cudaFreeArray(array);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%d ", h[i] + (int)image[i]);
  return cudaFree(d);
}
