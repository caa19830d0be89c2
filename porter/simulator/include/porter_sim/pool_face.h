// Stream-ordered allocation and memory pools under the face's prefix. A pool keeps nothing back: its figures are those of
// the allocations that are alive. Included by api_face.h.

struct PORTER_POOL_STATE;
typedef PORTER_POOL_STATE *PORTER_API(MemPool_t);

enum PORTER_POOL_ATTRIBUTE {
  PORTER_API(MemPoolReuseFollowEventDependencies) = 1,
  PORTER_API(MemPoolReuseAllowOpportunistic) = 2,
  PORTER_API(MemPoolReuseAllowInternalDependencies) = 3,
  PORTER_API(MemPoolAttrReleaseThreshold) = 4,
  PORTER_API(MemPoolAttrReservedMemCurrent) = 5,
  PORTER_API(MemPoolAttrReservedMemHigh) = 6,
  PORTER_API(MemPoolAttrUsedMemCurrent) = 7,
  PORTER_API(MemPoolAttrUsedMemHigh) = 8,
};
enum PORTER_API(MemAllocationType) {
  PORTER_API(MemAllocationTypeInvalid) = 0,
  PORTER_API(MemAllocationTypePinned) = 1,
};
enum PORTER_API(MemAllocationHandleType) {
  PORTER_API(MemHandleTypeNone) = 0,
  PORTER_API(MemHandleTypePosixFileDescriptor) = 1,
};
enum PORTER_API(MemLocationType) {
  PORTER_API(MemLocationTypeInvalid) = 0,
  PORTER_API(MemLocationTypeDevice) = 1,
  PORTER_API(MemLocationTypeHost) = 2,
  PORTER_API(MemLocationTypeHostNuma) = 3,
  PORTER_API(MemLocationTypeHostNumaCurrent) = 4,
};
enum PORTER_API(MemAccessFlags) {
  PORTER_API(MemAccessFlagsProtNone) = 0,
  PORTER_API(MemAccessFlagsProtRead) = 1,
  PORTER_API(MemAccessFlagsProtReadWrite) = 3,
};
struct PORTER_API(MemLocation) {
  PORTER_API(MemLocationType) type;
  int id;
};
struct PORTER_API(MemAccessDesc) {
  PORTER_API(MemLocation) location;
  PORTER_API(MemAccessFlags) flags;
};
struct PORTER_API(MemPoolProps) {
  PORTER_API(MemAllocationType) allocType;
  PORTER_API(MemAllocationHandleType) handleTypes;
  PORTER_API(MemLocation) location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};
struct PORTER_API(MemAllocNodeParams) {
  PORTER_API(MemPoolProps) poolProps;
  const PORTER_API(MemAccessDesc) * accessDescs;
  size_t accessDescCount, bytesize;
  void *dptr;
};

namespace porter_sim {

inline int allocate_in_stream(void **out, size_t bytes, void *stream, void *pool) {
  if (!api::recording(stream)) return api::pool_allocate(out, bytes, pool);
  Graph *graph = nullptr;
  api::capture_info(stream, nullptr, &graph, nullptr, nullptr);
  if (int status = api::graph_allocate(graph, out, bytes)) return status;
  return api::record(stream, NodeKind::allocation, [] { return 0; });
}
inline int free_in_stream(void *address, void *stream) {
  if (api::recording(stream)) return api::record(stream, NodeKind::release, [] { return 0; });
  return api::free_device(address);
}

}  // namespace porter_sim

template <class T>
PORTER_ERROR PORTER_API(MallocAsync)(T **out, size_t bytes, PORTER_STREAM stream) {
  PORTER_WRAP(::porter_sim::allocate_in_stream((void **)(void *)out, bytes, stream, nullptr));
}
template <class T>
PORTER_ERROR PORTER_API(MallocFromPoolAsync)(T **out, size_t bytes, PORTER_API(MemPool_t) pool, PORTER_STREAM stream) {
  PORTER_WRAP(::porter_sim::allocate_in_stream((void **)(void *)out, bytes, stream, pool));
}
template <class T>
PORTER_ERROR PORTER_API(MallocAsync)(T **out, size_t bytes, PORTER_API(MemPool_t) pool, PORTER_STREAM stream) {
  return PORTER_API(MallocFromPoolAsync)(out, bytes, pool, stream);
}
inline PORTER_ERROR PORTER_API(FreeAsync)(void *address, PORTER_STREAM stream) {
  PORTER_WRAP(::porter_sim::free_in_stream(address, stream));
}

inline PORTER_ERROR PORTER_API(MemPoolCreate)(PORTER_API(MemPool_t) * out, const PORTER_API(MemPoolProps) *) {
  PORTER_WRAP(::porter_sim::api::pool_create((void **)out));
}
inline PORTER_ERROR PORTER_API(MemPoolDestroy)(PORTER_API(MemPool_t) pool) { PORTER_WRAP(::porter_sim::api::pool_destroy(pool)); }
inline PORTER_ERROR PORTER_API(DeviceGetDefaultMemPool)(PORTER_API(MemPool_t) * out, int) {
  *out = (PORTER_API(MemPool_t))::porter_sim::api::pool_of_device(true);
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(DeviceGetMemPool)(PORTER_API(MemPool_t) * out, int) {
  *out = (PORTER_API(MemPool_t))::porter_sim::api::pool_of_device(false);
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(DeviceSetMemPool)(int, PORTER_API(MemPool_t) pool) {
  PORTER_WRAP(::porter_sim::api::pool_select(pool));
}
inline PORTER_ERROR PORTER_API(MemPoolSetAttribute)(PORTER_API(MemPool_t) pool, PORTER_POOL_ATTRIBUTE attribute, void *value) {
  PORTER_WRAP(::porter_sim::api::pool_set(pool, int(attribute), value));
}
inline PORTER_ERROR PORTER_API(MemPoolGetAttribute)(PORTER_API(MemPool_t) pool, PORTER_POOL_ATTRIBUTE attribute, void *value) {
  PORTER_WRAP(::porter_sim::api::pool_get(pool, int(attribute), value));
}
inline PORTER_ERROR PORTER_API(MemPoolTrimTo)(PORTER_API(MemPool_t), size_t) { return PORTER_ERROR(0); }
inline PORTER_ERROR PORTER_API(MemPoolSetAccess)(PORTER_API(MemPool_t), const PORTER_API(MemAccessDesc) *, size_t) {
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(MemPoolGetAccess)(PORTER_API(MemAccessFlags) * flags, PORTER_API(MemPool_t), PORTER_API(MemLocation) *) {
  *flags = PORTER_API(MemAccessFlagsProtReadWrite);
  return PORTER_ERROR(0);
}

// Allocation nodes: the address is known when the node is made.
inline PORTER_ERROR PORTER_API(GraphAddMemAllocNode)(PORTER_NEW_NODE, PORTER_API(MemAllocNodeParams) * p) {
  using namespace ::porter_sim;
  if (int status = api::graph_allocate(graph_of(graph), &p->dptr, p->bytesize)) PORTER_WRAP(status);
  PORTER_WRAP(add_node(out, graph, dependencies, count, work_node(NodeKind::allocation, [] { return 0; }, *p)));
}
inline PORTER_ERROR PORTER_API(GraphAddMemFreeNode)(PORTER_NEW_NODE, void *address) {
  using namespace ::porter_sim;
  if (!api::is_graph_memory(address)) PORTER_WRAP(1);
  PORTER_WRAP(add_node(out, graph, dependencies, count, plain_node(NodeKind::release, [] { return 0; })));
}
inline PORTER_ERROR PORTER_API(GraphMemAllocNodeGetParams)(PORTER_GNODE node, PORTER_API(MemAllocNodeParams) * p) {
  PORTER_WRAP(::porter_sim::get_parameters(::porter_sim::node_of(node), p));
}
inline PORTER_ERROR PORTER_API(DeviceGraphMemTrim)(int) { return PORTER_ERROR(0); }
