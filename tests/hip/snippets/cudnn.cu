// expect: builds, API009 9, API009 10
#include <cudnn.h>
void f(cudnnHandle_t h, cudnnTensorDescriptor_t x, const void* p, void* y) {
  float a = 1, b = 0;
  cudnnSoftmaxForward(h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &a, x, p, &b, x, y);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, (2 + 1) * 2, 3, 4);
  cudnnFilterDescriptor_t w; cudnnCreateFilterDescriptor(&w);
  cudnnConvolutionDescriptor_t c; cudnnCreateConvolutionDescriptor(&c);
  if (cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT) != CUDNN_STATUS_SUCCESS) return;
  cudnnPoolingDescriptor_t pool; cudnnSetPooling2dDescriptor(pool, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
  size_t bytes;
}
