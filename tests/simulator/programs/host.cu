// The parts of CUDA's runtime and driver API that HIP has in another form, or not at all.
#include <cuda.h>
#include <nvToolsExt.h>
#include <nvrtc.h>

#include <cstring>

#include "checks.h"

texture<float, 1> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image(1, cudaFilterModePoint, cudaAddressModeWrap);
texture<int2, 1, cudaReadModeElementType> pairs;

__global__ void read_references(float *out) {
  out[0] = tex1Dfetch(line, 2);
  out[1] = tex1Dfetch(line, 99);
  out[2] = tex2D(image, 1.25f, 0.75f);
  int2 p = tex1Dfetch(pairs, 1);
  out[3] = float(p.x * 100 + p.y);
}
__global__ void add(int *a, int value) { atomicAdd(a, value); }
__global__ void wide_block(float *out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void is_null(int *answer, const float *a, void *b) { *answer = a == nullptr && b == nullptr; }

static void references() {
  float values[4] = {1, 2, 3, 4}, *device, *out, got[4];
  cudaMalloc(&device, sizeof values);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  CHECK(cudaBindTexture(0, line, device, sizeof values) == cudaSuccess);
  unsigned char pixels[4] = {0, 51, 102, 255};
  cudaArray_t array;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&array, &channel, 2, 2);
  cudaMemcpyToArray(array, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice);
  CHECK(cudaBindTextureToArray(image, array) == cudaSuccess);
  CHECK(cudaBindTexture(0, pairs, device, sizeof values) == cudaSuccess);
  int two[4] = {1, 2, 3, 4};
  cudaMemcpy(device, two, sizeof two, cudaMemcpyHostToDevice);
  read_references<<<1, 1>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  float third;
  memcpy(&third, &two[2], sizeof third);
  CHECK(got[0] == third && got[1] == 0);
  CHECK(got[2] == 102 / 255.0f);
  CHECK(got[3] == 304);
  CHECK(cudaUnbindTexture(line) == cudaSuccess);
}

static void launches() {
  int *sum, got;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(2);
  configuration.blockDim = dim3(3);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&configuration, add, sum, short(4)) == cudaSuccess);
  CHECK(*sum == 24);
  int value = 1;
  void *arguments[] = {&sum, &value};
  CHECK(cudaLaunchKernelExC(&configuration, (const void *)add, arguments) == cudaSuccess);
  CHECK(*sum == 30);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  CHECK(cudaLaunchKernelExC(&configuration, (const void *)add, arguments) == cudaErrorNotSupported);
  cudaGetLastError();
  add<<<1, 1, 0, cudaStreamPerThread>>>(sum, 5);
  cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDefault);
  CHECK(got == 35);

  is_null<<<1, 1>>>(sum, 0, NULL);
  cudaDeviceSynchronize();
  CHECK(*sum == 1);

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, body_node;
  cudaGraphConditionalHandle handle;
  cudaGraphCreate(&graph, 0);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
  cudaGraphNodeParams conditional = {cudaGraphNodeTypeConditional};
  conditional.conditional.handle = handle;
  conditional.conditional.type = cudaGraphCondTypeWhile;
  conditional.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &conditional) == cudaSuccess);
  struct Loop {
    cudaGraphConditionalHandle handle;
    int turns;
  } static loop{handle, 0};
  cudaHostNodeParams turn{};
  turn.fn = [](void *p) {
    auto *l = static_cast<Loop *>(p);
    if (++l->turns % 5 == 0) cudaGraphSetConditional(l->handle, 0);
  };
  turn.userData = &loop;
  cudaGraphAddHostNode(&body_node, conditional.conditional.phGraph_out[0], nullptr, 0, &turn);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess && loop.turns == 5);
  CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess && loop.turns == 10);
}

__global__ void choose(cudaGraphConditionalHandle handle, const unsigned *value) { cudaGraphSetConditional(handle, *value); }
__global__ void mark(unsigned *to, unsigned what) { *to = *to * 10 + what; }

// A graph of a kernel that sets the condition and of a node whose bodies write 1, 2, 3 …
static cudaGraphExec_t choosing(cudaGraphConditionalNodeType type, unsigned size, unsigned *value, unsigned *out) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, node;
  cudaGraphConditionalHandle handle;
  cudaGraphCreate(&graph, 0);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph) == cudaSuccess);
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  void *arguments[] = {&handle, &value};
  kernel.kernel.func = (void *)choose;
  kernel.kernel.gridDim = kernel.kernel.blockDim = dim3(1);
  kernel.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&first, graph, nullptr, 0, &kernel) == cudaSuccess);
  cudaGraphNodeParams conditional = {cudaGraphNodeTypeConditional};
  conditional.conditional.handle = handle;
  conditional.conditional.type = type;
  conditional.conditional.size = size;
  CHECK(cudaGraphAddNode(&node, graph, &first, 1, &conditional) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaSuccess);  // of empty bodies; what is added later is not in it
  for (unsigned i = 0; i < size; ++i) {
    unsigned number = i + 1;
    void *what[] = {&out, &number};
    kernel.kernel.func = (void *)mark;
    kernel.kernel.kernelParams = what;
    CHECK(cudaGraphAddNode(&first, conditional.conditional.phGraph_out[i], nullptr, 0, &kernel) == cudaSuccess);
  }
  *value = 0, *out = 0;
  CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess && *out == 0);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  return exec;
}

static void conditional_graphs() {
  unsigned *value, *out;
  cudaMallocManaged(&value, sizeof *value);
  cudaMallocManaged(&out, sizeof *out);
  auto launched = [&](cudaGraphExec_t exec, unsigned v) {
    *value = v, *out = 0;
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    return *out;
  };
  cudaGraphExec_t once = choosing(cudaGraphCondTypeIf, 1, value, out);
  CHECK(launched(once, 7) == 1);
  CHECK(launched(once, 0) == 0);
  cudaGraphExec_t either = choosing(cudaGraphCondTypeIf, 2, value, out);
  CHECK(launched(either, 1) == 1);
  CHECK(launched(either, 0) == 2);
  cudaGraphExec_t numbered = choosing(cudaGraphCondTypeSwitch, 3, value, out);
  CHECK(launched(numbered, 0) == 1);
  CHECK(launched(numbered, 2) == 3);
  CHECK(launched(numbered, 3) == 0);

  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph);
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 2;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &p) == cudaErrorInvalidValue);
  cudaGetLastError();
}

static void queries() {
  int blocks, grid, block;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  CHECK(blocks == p.maxThreadsPerMultiProcessor / 256);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, p.sharedMemPerMultiprocessor / 2) == cudaSuccess);
  CHECK(blocks == 2);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add) == cudaSuccess);
  CHECK(grid * block == p.multiProcessorCount * p.maxThreadsPerMultiProcessor);
  float *out;
  cudaMalloc(&out, 1024 * sizeof(float));
  CHECK(cudaFuncSetAttribute(wide_block, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) == cudaSuccess);
  wide_block<<<1, 128, 65536>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaPointerAttributes at;
  CHECK(cudaPointerGetAttributes(&at, out) == cudaSuccess && at.type == cudaMemoryTypeDevice);
  CHECK(cudaPointerGetAttributes(&at, &at) == cudaSuccess && at.type == cudaMemoryTypeUnregistered);
  cudaIpcMemHandle_t handle;
  CHECK(cudaIpcGetMemHandle(&handle, out) == cudaErrorNotSupported);
  cudaGetLastError();
  CHECK(nvtxRangePush("outer") == 0 && nvtxRangePush("inner") == 1 && nvtxRangePop() == 1 && nvtxRangePop() == 0);
}

static void driver() {
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CUdevice device;
  CUcontext context, current;
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS && cuDeviceGet(&device, 9) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context);
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(memory, 0x01020304, 4) == CUDA_SUCCESS);
  unsigned back[4];
  CHECK(cuMemcpyDtoH(back, memory, sizeof back) == CUDA_SUCCESS && back[3] == 0x01020304);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
}

int main(int argc, char **) {
  if (argc > 1) {
    CUmodule module;
    CUresult status = cuModuleLoad(&module, "kernel.ptx");  // a module
    nvrtcProgram program;
    nvrtcResult other = nvrtcCreateProgram(&program, "", "k", 0, nullptr, nullptr);  // a program
    return status == CUDA_ERROR_NOT_SUPPORTED && other != NVRTC_SUCCESS ? 5 : 0;
  }
  references();
  launches();
  conditional_graphs();
  queries();
  driver();
  return finish();
}
