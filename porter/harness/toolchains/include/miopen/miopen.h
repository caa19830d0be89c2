// porter's own miopen/miopen.h: what host code needs to be parsed without ROCm, and no definitions.
// Written by porter.harness.toolchains.declare from declarations/miopen.toml. It is searched after every real header.
#pragma once

#include <hip/hip_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#define MIOPEN_GUARD_MIOPEN_H_

typedef void* miopenActivationDescriptor_t;
typedef void* miopenConvolutionDescriptor_t;
typedef void* miopenDropoutDescriptor_t;
typedef void* miopenHandle_t;
typedef void* miopenPoolingDescriptor_t;
typedef void* miopenRNNDescriptor_t;
typedef void* miopenReduceTensorDescriptor_t;
typedef void* miopenTensorDescriptor_t;
typedef hipStream_t miopenAcceleratorQueue_t;
typedef enum { miopenStatusSuccess=0, miopenStatusNotInitialized=1, miopenStatusInvalidValue=2, miopenStatusBadParm=3, miopenStatusAllocFailed=4, miopenStatusInternalError=5, miopenStatusNotImplemented=6, miopenStatusUnknownError=7, miopenStatusUnsupportedOp=8, miopenStatusGpuOperationsSkipped=9, miopenStatusVersionMismatch=10 } miopenStatus_t;
typedef enum { miopenHalf=0, miopenFloat=1, miopenInt32=2, miopenInt8=3, miopenBFloat16=5, miopenDouble=6, miopenFloat8=7, miopenBFloat8=8, miopenInt64=9 } miopenDataType_t;
typedef enum { miopenTensorNCHW=0, miopenTensorNHWC=1, miopenTensorCHWN=2, miopenTensorNCHWc4=3, miopenTensorNCHWc8=4, miopenTensorCHWNc4=5, miopenTensorCHWNc8=6, miopenTensorNCDHW=7, miopenTensorNDHWC=8 } miopenTensorLayout_t;
typedef enum { miopenConvolution=0, miopenTranspose=1, miopenGroupConv=2, miopenDepthwise=3 } miopenConvolutionMode_t;
typedef enum { miopenPoolingMax=0, miopenPoolingAverage=1, miopenPoolingAverageInclusive=2 } miopenPoolingMode_t;
typedef enum { miopenBNPerActivation=0, miopenBNSpatial=1 } miopenBatchNormMode_t;
typedef enum { miopenActivationPASTHRU=0, miopenActivationLOGISTIC=1, miopenActivationTANH=2, miopenActivationRELU=3, miopenActivationSOFTRELU=4, miopenActivationABS=5, miopenActivationPOWER=6, miopenActivationCLIPPEDRELU=7, miopenActivationLEAKYRELU=8, miopenActivationELU=9 } miopenActivationMode_t;
typedef enum { MIOPEN_SOFTMAX_FAST=0, MIOPEN_SOFTMAX_ACCURATE=1, MIOPEN_SOFTMAX_LOG=2 } miopenSoftmaxAlgorithm_t;
typedef enum { MIOPEN_SOFTMAX_MODE_INSTANCE=0, MIOPEN_SOFTMAX_MODE_CHANNEL=1 } miopenSoftmaxMode_t;
typedef enum { MIOPEN_REDUCE_TENSOR_ADD=0, MIOPEN_REDUCE_TENSOR_MUL=1, MIOPEN_REDUCE_TENSOR_MIN=2, MIOPEN_REDUCE_TENSOR_MAX=3, MIOPEN_REDUCE_TENSOR_AMAX=4, MIOPEN_REDUCE_TENSOR_AVG=5, MIOPEN_REDUCE_TENSOR_NORM1=6, MIOPEN_REDUCE_TENSOR_NORM2=7 } miopenReduceTensorOp_t;
typedef enum { MIOPEN_NOT_PROPAGATE_NAN=0, MIOPEN_PROPAGATE_NAN=1 } miopenNanPropagation_t;
typedef enum { MIOPEN_REDUCE_TENSOR_NO_INDICES=0, MIOPEN_REDUCE_TENSOR_FLATTENED_INDICES=1 } miopenReduceTensorIndices_t;
typedef enum { MIOPEN_32BIT_INDICES=0, MIOPEN_64BIT_INDICES=1, MIOPEN_16BIT_INDICES=2, MIOPEN_8BIT_INDICES=3 } miopenIndicesType_t;

extern "C" {
miopenStatus_t miopenActivationBackward(miopenHandle_t, const miopenActivationDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*);
miopenStatus_t miopenActivationForward(miopenHandle_t, const miopenActivationDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*);
miopenStatus_t miopenBatchNormalizationBackward(miopenHandle_t, miopenBatchNormMode_t, const void*, const void*, const void*, const void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, void*, const miopenTensorDescriptor_t, const void*, void*, void*, double, const void*, const void*);
miopenStatus_t miopenBatchNormalizationForwardInference(miopenHandle_t, miopenBatchNormMode_t, void*, void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, void*, const miopenTensorDescriptor_t, void*, void*, void*, void*, double);
miopenStatus_t miopenBatchNormalizationForwardTraining(miopenHandle_t, miopenBatchNormMode_t, void*, void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, void*, const miopenTensorDescriptor_t, void*, void*, double, void*, void*, double, void*, void*);
miopenStatus_t miopenConvolutionBackwardBias(miopenHandle_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*);
miopenStatus_t miopenConvolutionBackwardDataGetWorkSpaceSize(miopenHandle_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, const miopenConvolutionDescriptor_t, const miopenTensorDescriptor_t, size_t*);
miopenStatus_t miopenConvolutionBackwardWeightsGetWorkSpaceSize(miopenHandle_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, const miopenConvolutionDescriptor_t, const miopenTensorDescriptor_t, size_t*);
miopenStatus_t miopenConvolutionForwardGetWorkSpaceSize(miopenHandle_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, const miopenConvolutionDescriptor_t, const miopenTensorDescriptor_t, size_t*);
miopenStatus_t miopenCreate(miopenHandle_t*);
miopenStatus_t miopenCreateActivationDescriptor(miopenActivationDescriptor_t*);
miopenStatus_t miopenCreateConvolutionDescriptor(miopenConvolutionDescriptor_t*);
miopenStatus_t miopenCreateDropoutDescriptor(miopenDropoutDescriptor_t*);
miopenStatus_t miopenCreatePoolingDescriptor(miopenPoolingDescriptor_t*);
miopenStatus_t miopenCreateReduceTensorDescriptor(miopenReduceTensorDescriptor_t*);
miopenStatus_t miopenCreateTensorDescriptor(miopenTensorDescriptor_t*);
miopenStatus_t miopenDeriveBNTensorDescriptor(miopenTensorDescriptor_t, const miopenTensorDescriptor_t, miopenBatchNormMode_t);
miopenStatus_t miopenDestroy(miopenHandle_t);
miopenStatus_t miopenDestroyActivationDescriptor(miopenActivationDescriptor_t);
miopenStatus_t miopenDestroyConvolutionDescriptor(miopenConvolutionDescriptor_t);
miopenStatus_t miopenDestroyDropoutDescriptor(miopenDropoutDescriptor_t);
miopenStatus_t miopenDestroyPoolingDescriptor(miopenPoolingDescriptor_t);
miopenStatus_t miopenDestroyReduceTensorDescriptor(miopenReduceTensorDescriptor_t);
miopenStatus_t miopenDestroyTensorDescriptor(miopenTensorDescriptor_t);
miopenStatus_t miopenGet4dTensorDescriptor(miopenTensorDescriptor_t, miopenDataType_t*, int*, int*, int*, int*, int*, int*, int*, int*);
miopenStatus_t miopenGetConvolutionForwardOutputDim(miopenConvolutionDescriptor_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, int*, int*, int*, int*);
miopenStatus_t miopenGetConvolutionGroupCount(miopenConvolutionDescriptor_t, int*);
const char* miopenGetErrorString(miopenStatus_t);
miopenStatus_t miopenGetPoolingForwardOutputDim(const miopenPoolingDescriptor_t, const miopenTensorDescriptor_t, int*, int*, int*, int*);
miopenStatus_t miopenGetReductionIndicesSize(miopenHandle_t, const miopenReduceTensorDescriptor_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, size_t*);
miopenStatus_t miopenGetReductionWorkspaceSize(miopenHandle_t, const miopenReduceTensorDescriptor_t, const miopenTensorDescriptor_t, const miopenTensorDescriptor_t, size_t*);
miopenStatus_t miopenGetStream(miopenHandle_t, miopenAcceleratorQueue_t*);
miopenStatus_t miopenInitConvolutionDescriptor(miopenConvolutionDescriptor_t, miopenConvolutionMode_t, int, int, int, int, int, int);
miopenStatus_t miopenInitConvolutionNdDescriptor(miopenConvolutionDescriptor_t, int, const int*, const int*, const int*, miopenConvolutionMode_t);
miopenStatus_t miopenPoolingForward(miopenHandle_t, const miopenPoolingDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*, bool, void*, size_t);
miopenStatus_t miopenReduceTensor(miopenHandle_t, const miopenReduceTensorDescriptor_t, void*, size_t, void*, size_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*);
miopenStatus_t miopenScaleTensor(miopenHandle_t, const miopenTensorDescriptor_t, void*, const void*);
miopenStatus_t miopenSet2dPoolingDescriptor(miopenPoolingDescriptor_t, miopenPoolingMode_t, int, int, int, int, int, int);
miopenStatus_t miopenSet4dTensorDescriptor(miopenTensorDescriptor_t, miopenDataType_t, int, int, int, int);
miopenStatus_t miopenSet4dTensorDescriptorEx(miopenTensorDescriptor_t, miopenDataType_t, int, int, int, int, int, int, int, int);
miopenStatus_t miopenSetActivationDescriptor(const miopenActivationDescriptor_t, miopenActivationMode_t, double, double, double);
miopenStatus_t miopenSetConvolutionGroupCount(miopenConvolutionDescriptor_t, int);
miopenStatus_t miopenSetNdTensorDescriptorWithLayout(miopenTensorDescriptor_t, miopenDataType_t, miopenTensorLayout_t, const int*, int);
miopenStatus_t miopenSetReduceTensorDescriptor(miopenReduceTensorDescriptor_t, miopenReduceTensorOp_t, miopenDataType_t, miopenNanPropagation_t, miopenReduceTensorIndices_t, miopenIndicesType_t);
miopenStatus_t miopenSetStream(miopenHandle_t, miopenAcceleratorQueue_t);
miopenStatus_t miopenSetTensor(miopenHandle_t, const miopenTensorDescriptor_t, void*, const void*);
miopenStatus_t miopenSetTensorDescriptor(miopenTensorDescriptor_t, miopenDataType_t, int, const int*, const int*);
miopenStatus_t miopenSoftmaxBackward_V2(miopenHandle_t, const void*, const miopenTensorDescriptor_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*, miopenSoftmaxAlgorithm_t, miopenSoftmaxMode_t);
miopenStatus_t miopenSoftmaxForward_V2(miopenHandle_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*, miopenSoftmaxAlgorithm_t, miopenSoftmaxMode_t);
miopenStatus_t miopenTransformTensor(miopenHandle_t, const void*, const miopenTensorDescriptor_t, const void*, const void*, const miopenTensorDescriptor_t, void*);
}
