// The parts of CUDA's graph API that HIP does not have, or has with other parameters. Included by cuda_extra.h.
#pragma once

typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf = 0, cudaGraphCondTypeWhile = 1, cudaGraphCondTypeSwitch = 2 };
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
enum cudaGraphInstantiateFlags {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4,
  cudaGraphInstantiateFlagUseNodePriority = 8,
};
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParams kernel;
    struct {
      int flags, reserved[3];
      cudaMemcpy3DParms copyParams;
    } memcpy;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
    struct {
      cudaGraph_t graph;
    } graph;
    cudaMemAllocNodeParams alloc;
    struct {
      void *dptr;
    } free;
    cudaConditionalNodeParams conditional;
  };
};

inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  *info = {};
  return cudaGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
inline cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph, unsigned initial = 0,
                                                    unsigned flags = 0) {
  *out = (cudaGraphConditionalHandle)::porter_sim::api::graph_condition(::porter_sim::graph_of(graph), initial, flags & 1);
  return cudaSuccess;
}
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  __atomic_store_n(&((::porter_sim::Conditional *)handle)->value, value, __ATOMIC_SEQ_CST);
}

namespace porter_sim {

inline std::shared_ptr<Graph> new_body() {
  return std::shared_ptr<Graph>(api::graph_create(), [](Graph *g) { api::graph_destroy(g); });
}

// The bodies belong to the node; the program fills them after it has added it.
inline int add_conditional(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                           cudaConditionalNodeParams &p) {
  const unsigned most = p.type == cudaGraphCondTypeSwitch ? ~0u : p.type == cudaGraphCondTypeIf ? 2 : 1;
  if (!p.handle || !p.size || p.size > most || p.type > cudaGraphCondTypeSwitch) return 1;
  Node node{NodeKind::conditional, nullptr};
  node.condition = (Conditional *)p.handle;
  node.choice = Choice(p.type);
  auto handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned i = 0; i < p.size; ++i) {
    node.bodies.push_back(new_body());
    handles->push_back((cudaGraph_t)node.bodies.back().get());
  }
  p.phGraph_out = handles->data();
  node.parameters = handles;
  return add_node(out, graph, dependencies, count, std::move(node));
}

}  // namespace porter_sim

inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                    size_t count, cudaGraphNodeParams *p) {
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphAddKernelNode(out, graph, dependencies, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(out, graph, dependencies, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(out, graph, dependencies, count, &p->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(out, graph, dependencies, count, &p->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(out, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(out, graph, dependencies, count);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(out, graph, dependencies, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(out, graph, dependencies, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      PORTER_WRAP(::porter_sim::add_conditional(out, graph, dependencies, count, p->conditional));
    default:
      PORTER_WRAP(801);
  }
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                    const cudaGraphEdgeData *, size_t count, cudaGraphNodeParams *p) {
  return cudaGraphAddNode(out, graph, dependencies, count, p);
}

// CUDA 13's forms, with data of the edges.
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                            cudaGraph_t *graph, const cudaGraphNode_t **nodes,
                                            const cudaGraphEdgeData **edges, size_t *count) {
  if (edges) *edges = nullptr;
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *,
                                                       size_t count, unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
enum cudaStreamUpdateCaptureDependenciesFlags { cudaStreamAddCaptureDependencies = 0, cudaStreamSetCaptureDependencies = 1 };

enum cudaGraphMemAttributeType {
  cudaGraphMemAttrUsedMemCurrent = 0,
  cudaGraphMemAttrUsedMemHigh = 1,
  cudaGraphMemAttrReservedMemCurrent = 2,
  cudaGraphMemAttrReservedMemHigh = 3,
};
inline cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void *value) {
  *static_cast<unsigned long long *>(value) = ::porter_sim::api::graph_memory_bytes();
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void *) { return cudaSuccess; }
