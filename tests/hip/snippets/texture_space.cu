// expect: runs, MEM001 9, MEM001 10, MEM001 11
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
// Filtered in space, with a border in integers, and half numbers fetched.
__global__ void k(cudaTextureObject_t space, cudaTextureObject_t framed, cudaTextureObject_t halves, float* out) {
  const int i = threadIdx.x;
  float sum = 0.0f;
  sum += tex3D<float>(space, i * 0.057f, i * 0.031f, i * 0.043f);
  const int2 inside = tex2D<int2>(framed, i % 6 - 1.0f, i / 6 - 1.0f);
  sum += tex1Dfetch<float>(halves, i);
  out[i] = sum + 10.0f * inside.x + inside.y;
}

cudaArray_t array_of(const void* texels, size_t bytes, cudaChannelFormatDesc format, cudaExtent extent) {
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, extent);
  cudaMemcpy3DParms copy = {};
  const size_t rows = extent.height, planes = extent.depth ? extent.depth : 1;
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(texels), bytes / rows / planes, extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, planes);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureAddressMode address) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.filterMode = filter;
  for (int i = 0; i < 3; ++i) how.addressMode[i] = address;
  how.borderColor[0] = 7.0f;
  how.borderColor[1] = -3.0f;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, NULL);
  return texture;
}

int main() {
  const int n = 128;
  float space[4 * 4 * 4], *out, host[n];
  for (int i = 0; i < 64; ++i) space[i] = (i * 29 + 3) % 64;
  int2 framed[16];
  for (int i = 0; i < 16; ++i) framed[i] = make_int2(i, 100 - i);
  __half halves[n], *device_halves;
  for (int i = 0; i < n; ++i) halves[i] = __float2half(i * 0.125f);
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&device_halves, sizeof(halves));
  cudaMemcpy(device_halves, halves, sizeof(halves), cudaMemcpyHostToDevice);
  cudaArray_t in_space = array_of(space, sizeof(space), cudaCreateChannelDesc<float>(), make_cudaExtent(4, 4, 4));
  cudaArray_t in_frame = array_of(framed, sizeof(framed), cudaCreateChannelDesc<int2>(), make_cudaExtent(4, 4, 0));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = device_halves;
  linear.res.linear.desc = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
  linear.res.linear.sizeInBytes = sizeof(halves);
  cudaTextureDesc plain = {};
  cudaTextureObject_t h;
  cudaCreateTextureObject(&h, &linear, &plain, NULL);
  k<<<1, n>>>(texture_of(in_space, cudaFilterModeLinear, cudaAddressModeClamp),
              texture_of(in_frame, cudaFilterModePoint, cudaAddressModeBorder), h, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) std::printf("%.9g ", host[i]);
  cudaFree(device_halves);
  return cudaFree(out);
}
