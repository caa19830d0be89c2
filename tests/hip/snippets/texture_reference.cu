// expect: builds, MEM001 3, MEM001 4, MEM001 6
#include <cuda_runtime.h>
texture<float4, 1, cudaReadModeElementType> points;
static texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
__global__ void k(float* o, int n) {
  float4 p = tex1Dfetch(points, threadIdx.x); o[threadIdx.x] = p.x + tex2D(picture, p.y, p.z);
}
void f(float4* p, cudaArray* a) {
  picture.filterMode = cudaFilterModeLinear;
  picture.addressMode[0] = cudaAddressModeWrap;
  cudaBindTexture(0, points, p, 64 * sizeof(float4));
  cudaBindTextureToArray(picture, a);
  cudaUnbindTexture(points);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaBindTexture(NULL, &points, p, &format, 64 * sizeof(float4));
}
