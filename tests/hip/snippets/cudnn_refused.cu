// expect: refused, API009 4, API001 5, API009 6, API002 6
#include <cudnn.h>
void f(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnActivationDescriptor_t a, cudnnTensorFormat_t any) {
  cudnnSetTensor4dDescriptor(x, any, CUDNN_DATA_FLOAT, 1, 2, 3, 4);
  cudnnAddTensor(h, 0, x, 0, 0, x, 0);
  cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_SWISH, CUDNN_PROPAGATE_NAN, 1.0);
}
