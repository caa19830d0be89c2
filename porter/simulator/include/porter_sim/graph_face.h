// Graphs under the face's prefix. Included by api_face.h.

typedef struct PORTER_API(Graph_st) * PORTER_API(Graph_t);
typedef struct PORTER_API(GraphExec_st) * PORTER_API(GraphExec_t);
typedef struct PORTER_API(GraphNode_st) * PORTER_API(GraphNode_t);

#define PORTER_GRAPH PORTER_API(Graph_t)
#define PORTER_EXEC PORTER_API(GraphExec_t)
#define PORTER_GNODE PORTER_API(GraphNode_t)
#define PORTER_NEW_NODE PORTER_GNODE *out, PORTER_GRAPH graph, const PORTER_GNODE *dependencies, size_t count

enum PORTER_API(GraphNodeType) {
  PORTER_API(GraphNodeTypeKernel) = 0,
  PORTER_API(GraphNodeTypeMemcpy) = 1,
  PORTER_API(GraphNodeTypeMemset) = 2,
  PORTER_API(GraphNodeTypeHost) = 3,
  PORTER_API(GraphNodeTypeGraph) = 4,
  PORTER_API(GraphNodeTypeEmpty) = 5,
  PORTER_API(GraphNodeTypeWaitEvent) = 6,
  PORTER_API(GraphNodeTypeEventRecord) = 7,
  PORTER_API(GraphNodeTypeMemAlloc) = 10,
  PORTER_API(GraphNodeTypeMemFree) = 11,
  PORTER_API(GraphNodeTypeConditional) = 13,
};
enum PORTER_API(StreamCaptureMode) {
  PORTER_API(StreamCaptureModeGlobal),
  PORTER_API(StreamCaptureModeThreadLocal),
  PORTER_API(StreamCaptureModeRelaxed),
};
enum PORTER_API(StreamCaptureStatus) {
  PORTER_API(StreamCaptureStatusNone),
  PORTER_API(StreamCaptureStatusActive),
  PORTER_API(StreamCaptureStatusInvalidated),
};
enum PORTER_API(GraphExecUpdateResult) {
  PORTER_API(GraphExecUpdateSuccess),
  PORTER_API(GraphExecUpdateError),
  PORTER_API(GraphExecUpdateErrorTopologyChanged),
  PORTER_API(GraphExecUpdateErrorNodeTypeChanged),
  PORTER_API(GraphExecUpdateErrorFunctionChanged),
  PORTER_API(GraphExecUpdateErrorParametersChanged),
  PORTER_API(GraphExecUpdateErrorNotSupported),
};
struct PORTER_API(MemsetParams) {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct PORTER_API(HostNodeParams) {
  PORTER_API(HostFn_t) fn;
  void *userData;
};

namespace porter_sim {

inline Graph *graph_of(PORTER_GRAPH graph) { return (Graph *)graph; }
inline Node *node_of(PORTER_GNODE node) { return (Node *)node; }
inline api::GraphExec *exec_of(PORTER_EXEC exec) { return (api::GraphExec *)exec; }

template <class Parameters>
Node work_node(NodeKind kind, Work work, const Parameters &parameters) {
  return {kind, std::move(work), {}, std::make_shared<Parameters>(parameters)};
}
inline Node plain_node(NodeKind kind, Work work) { return {kind, std::move(work)}; }
inline int add_node(PORTER_NEW_NODE, Node node) {
  return api::graph_add(graph_of(graph), (Node **)out, (Node *const *)dependencies, count, std::move(node));
}

inline int fill_elements(const PORTER_API(MemsetParams) & p) {
  std::vector<char> row(p.width * p.elementSize);
  for (size_t i = 0; i < p.width; ++i) memcpy(row.data() + i * p.elementSize, &p.value, p.elementSize);
  for (size_t y = 0; y < std::max(p.height, size_t(1)); ++y) {
    int status = api::copy(static_cast<char *>(p.dst) + y * p.pitch, row.data(), row.size(), 1);
    if (status) return status;
  }
  return 0;
}

inline Work work_of(const PORTER_API(KernelNodeParams) & p) {
  const Configuration configuration{p.gridDim, p.blockDim, p.sharedMemBytes, nullptr};
  return bind_address(p.func, configuration, p.kernelParams, false, "", 0);
}
inline Work work_of(const PORTER_API(MemsetParams) & p) {
  return [p] { return fill_elements(p); };
}
inline Work work_of(const PORTER_API(Memcpy3DParms) & p) {
  return [p] { return copy_3d(p); };
}
inline Work work_of(const PORTER_API(HostNodeParams) & p) {
  return [p] { return p.fn(p.userData), 0; };
}

// New parameters for a node, or for its copy in an executable graph.
template <class Parameters>
int set_parameters(Node *node, const Parameters *p) {
  if (!node || !p) return 1;
  node->work = work_of(*p);
  node->parameters = std::make_shared<Parameters>(*p);
  return 0;
}
template <class Parameters>
int get_parameters(Node *node, Parameters *p) {
  if (!node->parameters) return 1;
  *p = *static_cast<Parameters *>(node->parameters.get());
  return 0;
}
inline PORTER_API(Memcpy3DParms) linear_copy(void *to, const void *from, size_t bytes, PORTER_API(MemcpyKind) kind) {
  PORTER_API(Memcpy3DParms) p{};
  p.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
  p.dstPtr = {to, bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return p;
}

// Copies `nodes` to the program's array of `*count` places, or tells only how many there are.
inline int list_nodes(const std::vector<Node *> &nodes, PORTER_GNODE *out, size_t *count) {
  if (out) {
    for (size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? (PORTER_GNODE)nodes[i] : nullptr;
  }
  *count = out ? std::min(*count, nodes.size()) : nodes.size();
  return 0;
}
inline int instantiate(PORTER_EXEC *out, PORTER_GRAPH graph) {
  if (!out || !graph) return 1;
  *out = (PORTER_EXEC)api::graph_instantiate(graph_of(graph));
  return *out ? 0 : 1;
}

}  // namespace porter_sim

#define PORTER_SAME_NODE(kind, Parameters)                                                                          \
  inline PORTER_ERROR PORTER_API(GraphAdd##kind##Node)(PORTER_NEW_NODE, const PORTER_API(Parameters) * p) {         \
    using namespace ::porter_sim;                                                                                   \
    PORTER_WRAP(add_node(out, graph, dependencies, count, work_node(PORTER_KIND_OF_##kind, work_of(*p), *p)));      \
  }                                                                                                                 \
  inline PORTER_ERROR PORTER_API(Graph##kind##NodeSetParams)(PORTER_GNODE node, const PORTER_API(Parameters) * p) { \
    PORTER_WRAP(::porter_sim::set_parameters(::porter_sim::node_of(node), p));                                      \
  }                                                                                                                 \
  inline PORTER_ERROR PORTER_API(Graph##kind##NodeGetParams)(PORTER_GNODE node, PORTER_API(Parameters) * p) {       \
    PORTER_WRAP(::porter_sim::get_parameters(::porter_sim::node_of(node), p));                                      \
  }                                                                                                                 \
  inline PORTER_ERROR PORTER_API(GraphExec##kind##NodeSetParams)(PORTER_EXEC exec, PORTER_GNODE node,               \
                                                                 const PORTER_API(Parameters) * p) {                \
    using namespace ::porter_sim;                                                                                   \
    PORTER_WRAP(set_parameters(api::graph_exec_node(exec_of(exec), node_of(node)), p));                             \
  }
#define PORTER_KIND_OF_Kernel ::porter_sim::NodeKind::kernel
#define PORTER_KIND_OF_Memset ::porter_sim::NodeKind::memset
#define PORTER_KIND_OF_Memcpy ::porter_sim::NodeKind::memcpy
#define PORTER_KIND_OF_Host ::porter_sim::NodeKind::host
PORTER_SAME_NODE(Kernel, KernelNodeParams)
PORTER_SAME_NODE(Memset, MemsetParams)
PORTER_SAME_NODE(Memcpy, Memcpy3DParms)
PORTER_SAME_NODE(Host, HostNodeParams)
#undef PORTER_SAME_NODE

inline PORTER_ERROR PORTER_API(GraphCreate)(PORTER_GRAPH *out, unsigned) {
  *out = (PORTER_GRAPH)::porter_sim::api::graph_create();
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(GraphDestroy)(PORTER_GRAPH graph) {
  PORTER_WRAP(::porter_sim::api::graph_destroy(::porter_sim::graph_of(graph)));
}
inline PORTER_ERROR PORTER_API(GraphClone)(PORTER_GRAPH *out, PORTER_GRAPH graph) {
  PORTER_WRAP(::porter_sim::api::graph_clone((::porter_sim::Graph **)out, ::porter_sim::graph_of(graph)));
}
inline PORTER_ERROR PORTER_API(GraphNodeFindInClone)(PORTER_GNODE *out, PORTER_GNODE node, PORTER_GRAPH clone) {
  *out = (PORTER_GNODE)::porter_sim::api::graph_find_clone(::porter_sim::graph_of(clone), ::porter_sim::node_of(node));
  PORTER_WRAP(*out ? 0 : 1);
}
inline PORTER_ERROR PORTER_API(GraphAddEmptyNode)(PORTER_NEW_NODE) {
  using namespace ::porter_sim;
  PORTER_WRAP(add_node(out, graph, dependencies, count, plain_node(NodeKind::empty, nullptr)));
}
inline PORTER_ERROR PORTER_API(GraphAddChildGraphNode)(PORTER_NEW_NODE, PORTER_GRAPH child) {
  using namespace ::porter_sim;
  Graph *copy = nullptr;
  api::graph_clone(&copy, graph_of(child));
  Node node = plain_node(NodeKind::graph, nullptr);
  node.bodies = {std::shared_ptr<Graph>(copy, [](Graph *g) { api::graph_destroy(g); })};
  PORTER_WRAP(add_node(out, graph, dependencies, count, std::move(node)));
}
inline PORTER_ERROR PORTER_API(GraphChildGraphNodeGetGraph)(PORTER_GNODE node, PORTER_GRAPH *out) {
  const ::porter_sim::Node &n = *::porter_sim::node_of(node);
  if (n.kind != ::porter_sim::NodeKind::graph) PORTER_WRAP(1);
  *out = (PORTER_GRAPH)n.bodies.front().get();
  PORTER_WRAP(0);
}
inline PORTER_ERROR PORTER_API(GraphAddMemcpyNode1D)(PORTER_NEW_NODE, void *to, const void *from, size_t bytes,
                                                     PORTER_API(MemcpyKind) kind) {
  const auto p = ::porter_sim::linear_copy(to, from, bytes, kind);
  return PORTER_API(GraphAddMemcpyNode)(out, graph, dependencies, count, &p);
}
inline PORTER_ERROR PORTER_API(GraphMemcpyNodeSetParams1D)(PORTER_GNODE node, void *to, const void *from, size_t bytes,
                                                           PORTER_API(MemcpyKind) kind) {
  const auto p = ::porter_sim::linear_copy(to, from, bytes, kind);
  return PORTER_API(GraphMemcpyNodeSetParams)(node, &p);
}
inline PORTER_ERROR PORTER_API(GraphExecMemcpyNodeSetParams1D)(PORTER_EXEC exec, PORTER_GNODE node, void *to, const void *from,
                                                               size_t bytes, PORTER_API(MemcpyKind) kind) {
  const auto p = ::porter_sim::linear_copy(to, from, bytes, kind);
  return PORTER_API(GraphExecMemcpyNodeSetParams)(exec, node, &p);
}
template <class T>
PORTER_ERROR PORTER_API(GraphAddMemcpyNodeToSymbol)(PORTER_NEW_NODE, const T &symbol, const void *from, size_t bytes,
                                                    size_t offset, PORTER_API(MemcpyKind) kind) {
  char *to = static_cast<char *>(::porter_sim::symbol_of(symbol)) + offset;
  return PORTER_API(GraphAddMemcpyNode1D)(out, graph, dependencies, count, to, from, bytes, kind);
}
template <class T>
PORTER_ERROR PORTER_API(GraphAddMemcpyNodeFromSymbol)(PORTER_NEW_NODE, void *to, const T &symbol, size_t bytes, size_t offset,
                                                      PORTER_API(MemcpyKind) kind) {
  const char *from = static_cast<char *>(::porter_sim::symbol_of(symbol)) + offset;
  return PORTER_API(GraphAddMemcpyNode1D)(out, graph, dependencies, count, to, from, bytes, kind);
}
inline PORTER_ERROR PORTER_API(GraphAddEventRecordNode)(PORTER_NEW_NODE, PORTER_API(Event_t) event) {
  using namespace ::porter_sim;
  auto work = [event] { return api::event_record(event, nullptr); };
  PORTER_WRAP(add_node(out, graph, dependencies, count, plain_node(NodeKind::event_record, work)));
}
inline PORTER_ERROR PORTER_API(GraphAddEventWaitNode)(PORTER_NEW_NODE, PORTER_API(Event_t)) {
  using namespace ::porter_sim;
  PORTER_WRAP(add_node(out, graph, dependencies, count, plain_node(NodeKind::wait_event, nullptr)));
}
inline PORTER_ERROR PORTER_API(GraphAddDependencies)(PORTER_GRAPH graph, const PORTER_GNODE *from, const PORTER_GNODE *to,
                                                     size_t count) {
  using namespace ::porter_sim;
  PORTER_WRAP(api::graph_connect(graph_of(graph), (Node *const *)from, (Node *const *)to, count, true));
}
inline PORTER_ERROR PORTER_API(GraphRemoveDependencies)(PORTER_GRAPH graph, const PORTER_GNODE *from, const PORTER_GNODE *to,
                                                        size_t count) {
  using namespace ::porter_sim;
  PORTER_WRAP(api::graph_connect(graph_of(graph), (Node *const *)from, (Node *const *)to, count, false));
}

inline PORTER_ERROR PORTER_API(GraphGetNodes)(PORTER_GRAPH graph, PORTER_GNODE *nodes, size_t *count) {
  using namespace ::porter_sim;
  PORTER_WRAP(list_nodes(api::graph_nodes(graph_of(graph)), nodes, count));
}
inline PORTER_ERROR PORTER_API(GraphGetRootNodes)(PORTER_GRAPH graph, PORTER_GNODE *nodes, size_t *count) {
  using namespace ::porter_sim;
  std::vector<Node *> roots;
  for (Node *node : api::graph_nodes(graph_of(graph))) {
    if (node->dependencies.empty()) roots.push_back(node);
  }
  PORTER_WRAP(list_nodes(roots, nodes, count));
}
inline PORTER_ERROR PORTER_API(GraphGetEdges)(PORTER_GRAPH graph, PORTER_GNODE *from, PORTER_GNODE *to, size_t *count) {
  using namespace ::porter_sim;
  std::vector<Node *> first, second;
  for (Node *node : api::graph_nodes(graph_of(graph))) {
    first.insert(first.end(), node->dependencies.begin(), node->dependencies.end());
    second.resize(first.size(), node);
  }
  size_t places = *count;
  list_nodes(first, from, count);
  PORTER_WRAP(list_nodes(second, to, to ? &places : count));
}
inline PORTER_ERROR PORTER_API(GraphNodeGetType)(PORTER_GNODE node, PORTER_API(GraphNodeType) * type) {
  *type = PORTER_API(GraphNodeType)(::porter_sim::node_of(node)->kind);
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(GraphNodeGetDependencies)(PORTER_GNODE node, PORTER_GNODE *nodes, size_t *count) {
  PORTER_WRAP(::porter_sim::list_nodes(::porter_sim::node_of(node)->dependencies, nodes, count));
}
inline PORTER_ERROR PORTER_API(GraphNodeSetEnabled)(PORTER_EXEC exec, PORTER_GNODE node, unsigned enabled) {
  using namespace ::porter_sim;
  Node *copy = api::graph_exec_node(exec_of(exec), node_of(node));
  if (!copy) PORTER_WRAP(1);
  copy->disabled = !enabled;
  return PORTER_ERROR(0);
}

inline PORTER_ERROR PORTER_API(GraphInstantiate)(PORTER_EXEC *out, PORTER_GRAPH graph, PORTER_GNODE *error, char *log,
                                                 size_t size) {
  if (error) *error = nullptr;
  if (log && size) *log = 0;
  PORTER_WRAP(::porter_sim::instantiate(out, graph));
}
inline PORTER_ERROR PORTER_API(GraphInstantiate)(PORTER_EXEC *out, PORTER_GRAPH graph, unsigned long long = 0) {
  PORTER_WRAP(::porter_sim::instantiate(out, graph));
}
inline PORTER_ERROR PORTER_API(GraphInstantiateWithFlags)(PORTER_EXEC *out, PORTER_GRAPH graph, unsigned long long = 0) {
  PORTER_WRAP(::porter_sim::instantiate(out, graph));
}
inline PORTER_ERROR PORTER_API(GraphExecDestroy)(PORTER_EXEC exec) {
  PORTER_WRAP(::porter_sim::api::graph_exec_destroy(::porter_sim::exec_of(exec)));
}
inline PORTER_ERROR PORTER_API(GraphUpload)(PORTER_EXEC, PORTER_STREAM) { return PORTER_ERROR(0); }
inline PORTER_ERROR PORTER_API(GraphLaunch)(PORTER_EXEC exec, PORTER_STREAM stream) {
  PORTER_WRAP(::porter_sim::api::graph_launch(::porter_sim::exec_of(exec), stream));
}
inline PORTER_ERROR PORTER_API(GraphExecUpdate)(PORTER_EXEC exec, PORTER_GRAPH graph, PORTER_GNODE *error,
                                                PORTER_API(GraphExecUpdateResult) * result) {
  using namespace ::porter_sim;
  Node *differs = nullptr;
  int difference = api::graph_exec_update(exec_of(exec), graph_of(graph), &differs);
  if (error) *error = (PORTER_GNODE)differs;
  if (result) *result = PORTER_API(GraphExecUpdateResult)(difference);
  PORTER_WRAP(difference ? 910 : 0);
}
inline PORTER_ERROR PORTER_API(GraphExecChildGraphNodeSetParams)(PORTER_EXEC exec, PORTER_GNODE node, PORTER_GRAPH child) {
  using namespace ::porter_sim;
  Node *copy = api::graph_exec_node(exec_of(exec), node_of(node));
  Graph *body = nullptr;
  if (!copy) PORTER_WRAP(1);
  api::graph_clone(&body, graph_of(child));
  copy->bodies = {std::shared_ptr<Graph>(body, [](Graph *g) { api::graph_destroy(g); })};
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(GraphDebugDotPrint)(PORTER_GRAPH graph, const char *path, unsigned) {
  PORTER_WRAP(::porter_sim::api::graph_write_dot(::porter_sim::graph_of(graph), path));
}

inline PORTER_ERROR PORTER_API(StreamBeginCapture)(PORTER_STREAM stream, PORTER_API(StreamCaptureMode) = {}) {
  PORTER_WRAP(::porter_sim::api::begin_capture(stream));
}
inline PORTER_ERROR PORTER_API(StreamBeginCaptureToGraph)(PORTER_STREAM stream, PORTER_GRAPH graph, const PORTER_GNODE *nodes,
                                                          const void *, size_t count, PORTER_API(StreamCaptureMode)) {
  using namespace ::porter_sim;
  int status = api::begin_capture(stream, graph_of(graph));
  PORTER_WRAP(status || !count ? status : api::capture_depend(stream, (Node *const *)nodes, count, true));
}
inline PORTER_ERROR PORTER_API(StreamEndCapture)(PORTER_STREAM stream, PORTER_GRAPH *out) {
  PORTER_WRAP(::porter_sim::api::end_capture(stream, (::porter_sim::Graph **)out));
}
inline PORTER_ERROR PORTER_API(StreamIsCapturing)(PORTER_STREAM stream, PORTER_API(StreamCaptureStatus) * status) {
  *status = PORTER_API(StreamCaptureStatus)(::porter_sim::api::capture_status(stream));
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(StreamGetCaptureInfo)(PORTER_STREAM stream, PORTER_API(StreamCaptureStatus) * status,
                                                     unsigned long long *id = nullptr, PORTER_GRAPH *graph = nullptr,
                                                     const PORTER_GNODE **nodes = nullptr, size_t *count = nullptr) {
  using namespace ::porter_sim;
  *status = PORTER_API(StreamCaptureStatus)(api::capture_status(stream));
  PORTER_WRAP(api::capture_info(stream, id, (Graph **)graph, (Node *const **)nodes, count));
}
inline PORTER_ERROR PORTER_API(StreamGetCaptureInfo_v2)(PORTER_STREAM stream, PORTER_API(StreamCaptureStatus) * status,
                                                        unsigned long long *id = nullptr, PORTER_GRAPH *graph = nullptr,
                                                        const PORTER_GNODE **nodes = nullptr, size_t *count = nullptr) {
  return PORTER_API(StreamGetCaptureInfo)(stream, status, id, graph, nodes, count);
}
// Flags: 0 adds to what the next captured node depends on, 1 replaces it.
inline PORTER_ERROR PORTER_API(StreamUpdateCaptureDependencies)(PORTER_STREAM stream, PORTER_GNODE *nodes, size_t count,
                                                                unsigned flags = 0) {
  PORTER_WRAP(::porter_sim::api::capture_depend(stream, (::porter_sim::Node *const *)nodes, count, flags == 1));
}
inline PORTER_ERROR PORTER_API(ThreadExchangeStreamCaptureMode)(PORTER_API(StreamCaptureMode) *) { return PORTER_ERROR(0); }
