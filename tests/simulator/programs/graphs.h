// Streams, capture, explicit graphs and memory pools. API(x) is cuda##x or hip##x.
#include <cstdio>
#include <cstring>

#include "checks.h"

__global__ void add(int *a, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += value;
}
template <class T>
__global__ void scale(T *a, T by) {
  a[threadIdx.x] *= by;
}

constexpr int N = 64;
static int *data;

static int first() {
  int value = -1;
  API(Memcpy)(&value, data, sizeof value, API(MemcpyDeviceToHost));
  return value;
}

static void streams() {
  int least, greatest, priority;
  CHECK(API(DeviceGetStreamPriorityRange)(&least, &greatest) == 0 && greatest < least);
  API(Stream_t) s;
  CHECK(API(StreamCreateWithPriority)(&s, API(StreamNonBlocking), greatest) == 0);
  CHECK(API(StreamGetPriority)(s, &priority) == 0 && priority == greatest);
  unsigned flags;
  CHECK(API(StreamGetFlags)(s, &flags) == 0 && flags == API(StreamNonBlocking));
  int order[3] = {0, 0, 0}, at = 0;
  struct Call {
    int *order, *at;
  } call{order, &at};
  API(LaunchHostFunc)(s, [](void *p) { auto *c = static_cast<Call *>(p); c->order[(*c->at)++] = 1; }, &call);
  CHECK(API(StreamAddCallback)(s, [](API(Stream_t), API(Error_t), void *p) { auto *c = static_cast<Call *>(p); c->order[(*c->at)++] = 2; }, &call, 0) == 0);
  CHECK(at == 2 && order[0] == 1 && order[1] == 2);
  API(Event_t) a, b, untimed;
  API(EventCreate)(&a);
  API(EventCreate)(&b);
  API(EventCreateWithFlags)(&untimed, API(EventDisableTiming));
  float ms = -1;
  CHECK(API(EventElapsedTime)(&ms, a, b) == 400);
  API(EventRecord)(a, s);
  API(EventRecord)(b, s);
  API(EventRecord)(untimed, s);
  CHECK(API(EventElapsedTime)(&ms, a, b) == 0 && ms >= 0);
  CHECK(API(EventElapsedTime)(&ms, a, untimed) == 400);
  CHECK(API(StreamDestroy)(s) == 0);
  API(GetLastError)();
}

static void capture() {
  API(Stream_t) s, other;
  API(StreamCreate)(&s);
  API(StreamCreate)(&other);
  API(Event_t) fork, join;
  API(EventCreate)(&fork);
  API(EventCreate)(&join);
  API(Graph_t) graph = nullptr;
  API(GraphExec_t) exec;
  API(StreamCaptureStatus) status;
  CHECK(API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal)) == 0);
  CHECK(API(StreamIsCapturing)(s, &status) == 0 && status == API(StreamCaptureStatusActive));
  CHECK(API(StreamSynchronize)(s) == 900);
  API(MemsetAsync)(data, 0, N * sizeof(int), s);
  API(EventRecord)(fork, s);
  API(StreamWaitEvent)(other, fork, 0);
  add<<<1, N, 0, other>>>(data, N, 5);
  API(EventRecord)(join, other);
  API(StreamWaitEvent)(s, join, 0);
  scale<int><<<1, N, 0, s>>>(data, 3);
  CHECK(API(StreamEndCapture)(s, &graph) == 0);
  CHECK(API(StreamIsCapturing)(other, &status) == 0 && status == API(StreamCaptureStatusNone));
  API(Memset)(data, 1, N * sizeof(int));
  CHECK(first() == 0x01010101);
  CHECK(API(GraphInstantiate)(&exec, graph, nullptr, nullptr, 0) == 0);
  for (int i = 0; i < 2; ++i) CHECK(API(GraphLaunch)(exec, s) == 0);
  CHECK(first() == 15);
  size_t count = 0;
  CHECK(API(GraphGetNodes)(graph, nullptr, &count) == 0 && count == 3);
  CHECK(API(GraphGetRootNodes)(graph, nullptr, &count) == 0 && count == 1);
  CHECK(API(GraphGetEdges)(graph, nullptr, nullptr, &count) == 0 && count == 3);

  // Another value of the same shape replaces the first; another shape does not.
  API(Graph_t) second, third;
  API(GraphExecUpdateResult) result;
  API(GraphNode_t) error;
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  API(MemsetAsync)(data, 0, N * sizeof(int), s);
  API(EventRecord)(fork, s);
  API(StreamWaitEvent)(other, fork, 0);
  add<<<1, N, 0, other>>>(data, N, 7);
  API(EventRecord)(join, other);
  API(StreamWaitEvent)(s, join, 0);
  scale<int><<<1, N, 0, s>>>(data, 2);
  API(StreamEndCapture)(s, &second);
  CHECK(API(GraphExecUpdate)(exec, second, &error, &result) == 0 && result == API(GraphExecUpdateSuccess));
  API(GraphLaunch)(exec, s);
  CHECK(first() == 14);
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  add<<<1, N, 0, s>>>(data, N, 1);
  API(StreamEndCapture)(s, &third);
  CHECK(API(GraphExecUpdate)(exec, third, &error, &result) == 910 && result == API(GraphExecUpdateErrorTopologyChanged));

  // Work that never comes back to the first stream is an error.
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  API(EventRecord)(fork, s);
  API(StreamWaitEvent)(other, fork, 0);
  add<<<1, N, 0, other>>>(data, N, 5);
  CHECK(API(StreamEndCapture)(s, &third) == 904);
  CHECK(API(StreamEndCapture)(s, &third) == 401);
  API(GetLastError)();
}

static void explicit_nodes() {
  API(Graph_t) graph, child, clone;
  API(GraphCreate)(&graph, 0);
  API(GraphCreate)(&child, 0);
  API(GraphNode_t) clear, kernel, nested, copy, host, inner;
  API(MemsetParams) fill;
  memset(&fill, 0, sizeof fill);
  fill.dst = data;
  fill.value = 3;
  fill.elementSize = sizeof(int);
  fill.width = N;
  fill.height = 1;
  CHECK(API(GraphAddMemsetNode)(&clear, graph, nullptr, 0, &fill) == 0);
  int n = N, value = 4;
  void *arguments[] = {&data, &n, &value};
  API(KernelNodeParams) launch{};
  launch.func = (void *)add;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(N);
  launch.kernelParams = arguments;
  CHECK(API(GraphAddKernelNode)(&kernel, graph, nullptr, 0, &launch) == 0);
  value = 1000;  // the node has its own copy
  int by = 2;
  void *more[] = {&data, &by};
  API(KernelNodeParams) scaling = launch;
  scaling.func = reinterpret_cast<void *>(scale<int>);
  scaling.kernelParams = more;
  CHECK(API(GraphAddKernelNode)(&inner, child, nullptr, 0, &scaling) == 0);
  CHECK(API(GraphAddChildGraphNode)(&nested, graph, &kernel, 1, child) == 0);
  static int back[N], sum;
  CHECK(API(GraphAddMemcpyNode1D)(&copy, graph, &nested, 1, back, data, sizeof back, API(MemcpyDeviceToHost)) == 0);
  API(HostNodeParams) call{};
  call.fn = [](void *p) { for (int i = 0; i < N; ++i) *static_cast<int *>(p) += back[i]; };
  call.userData = &sum;
  CHECK(API(GraphAddHostNode)(&host, graph, &copy, 1, &call) == 0);
  // Added last, needed first: the order is that of the dependencies.
  CHECK(API(GraphAddDependencies)(graph, &clear, &kernel, 1) == 0);
  API(GraphNodeType) type;
  CHECK(API(GraphNodeGetType)(nested, &type) == 0 && type == API(GraphNodeTypeGraph));
  API(GraphExec_t) exec;
  CHECK(API(GraphClone)(&clone, graph) == 0);
  CHECK(API(GraphInstantiate)(&exec, graph, nullptr, nullptr, 0) == 0);
  CHECK(API(GraphLaunch)(exec, nullptr) == 0 && sum == N * (3 + 4) * 2);
  value = 10;
  CHECK(API(GraphExecKernelNodeSetParams)(exec, kernel, &launch) == 0);
  sum = 0;
  CHECK(API(GraphLaunch)(exec, nullptr) == 0 && sum == N * (3 + 10) * 2);
  API(GraphNode_t) twin;
  CHECK(API(GraphNodeFindInClone)(&twin, kernel, clone) == 0 && twin != kernel);
  CHECK(API(GraphInstantiate)(&exec, clone, nullptr, nullptr, 0) == 0);
  sum = 0;
  CHECK(API(GraphLaunch)(exec, nullptr) == 0 && sum == N * (3 + 4) * 2);
  CHECK(API(GraphAddDependencies)(graph, &host, &clear, 1) == 0);
  CHECK(API(GraphInstantiate)(&exec, graph, nullptr, nullptr, 0) != 0);
  API(GetLastError)();
}

static void pools() {
  API(MemPool_t) pool;
  CHECK(API(DeviceGetDefaultMemPool)(&pool, 0) == 0);
  unsigned long long threshold = 1 << 20, used = 9;
  CHECK(API(MemPoolSetAttribute)(pool, API(MemPoolAttrReleaseThreshold), &threshold) == 0);
  int *block;
  CHECK(API(MallocAsync)((void **)&block, 4096, nullptr) == 0);
  CHECK(API(MemPoolGetAttribute)(pool, API(MemPoolAttrUsedMemCurrent), &used) == 0 && used == 4096);
  CHECK(API(FreeAsync)(block, nullptr) == 0);
  CHECK(API(MemPoolGetAttribute)(pool, API(MemPoolAttrUsedMemCurrent), &used) == 0 && used == 0);
  CHECK(API(MemPoolGetAttribute)(pool, API(MemPoolAttrUsedMemHigh), &used) == 0 && used == 4096);
  // Memory of a captured allocation lives as long as its graph.
  API(Stream_t) s;
  API(StreamCreate)(&s);
  API(Graph_t) graph;
  API(GraphExec_t) exec;
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  API(MallocAsync)((void **)&block, N * sizeof(int), s);
  API(MemsetAsync)(block, 0, N * sizeof(int), s);
  add<<<1, N, 0, s>>>(block, N, 6);
  API(MemcpyAsync)(data, block, N * sizeof(int), API(MemcpyDeviceToDevice), s);
  API(FreeAsync)(block, s);
  API(StreamEndCapture)(s, &graph);
  API(GraphInstantiate)(&exec, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 2; ++i) CHECK(API(GraphLaunch)(exec, s) == 0);
  CHECK(first() == 6);
}

static void addresses() {
  int n = N, value = 2;
  void *arguments[] = {&data, &n, &value};
  API(Memset)(data, 0, N * sizeof(int));
  const void *kernel = (const void *)add;
  CHECK(API(LaunchKernel)(kernel, dim3(1), dim3(N), arguments, 0, nullptr) == 0);
  CHECK(API(LaunchKernel)((void *)&add, dim3(1), dim3(N), arguments, 0, nullptr) == 0);
  CHECK(API(LaunchKernel)(add, dim3(1), dim3(N), arguments, 0, nullptr) == 0);
  void (*typed)(int *, int, int) = add;
  typed<<<1, N>>>(data, N, 1);
  CHECK(first() == 7);
}

int main() {
  API(Malloc)(&data, N * sizeof(int));
  streams();
  capture();
  explicit_nodes();
  pools();
  addresses();
  return finish();
}
