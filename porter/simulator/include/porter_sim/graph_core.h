// Streams and graphs without a vendor. Work is done when it is issued, so every stream is in order and idle; a
// stream under capture keeps its work in a graph instead. See runtime/stream.cpp and runtime/graph.cpp.
#pragma once

#include <functional>
#include <memory>

#include "porter_sim/execution.h"

namespace porter_sim {

// The numbers are those of cudaGraphNodeType and hipGraphNodeType.
enum class NodeKind : int {
  kernel = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait_event = 6,
  event_record = 7,
  allocation = 10,
  release = 11,
  conditional = 13,
};

using Work = std::function<int()>;

struct Graph;

// How a conditional node chooses among its bodies: the first if the value is not zero and else the second, the first
// as long as the value is not zero, the one of that number.
enum class Choice : int { once, repeated, numbered };

// A value that kernels set and a conditional node tests; its address is the handle that programs hold.
struct Conditional {
  unsigned value, initial;
  bool assign_initial;
};

struct Node {
  NodeKind kind;
  Work work;                                   // null for an empty node
  std::vector<Node *> dependencies = {};       // of the same graph
  std::shared_ptr<void> parameters = nullptr;  // the face's own, as they were given
  std::vector<std::shared_ptr<Graph>> bodies = {};  // a child graph, or what a condition guards
  Conditional *condition = nullptr;
  Choice choice = Choice::once;
  bool disabled = false;
  const Node *origin = nullptr;  // the node that this one was cloned from
};

// Of device code: kept for the end of the running block.
int issue_work(Work work);

namespace api {

// Streams.
int stream_create(void **out, unsigned flags, int priority);
int stream_destroy(void *stream);
int stream_flags(void *stream, unsigned *flags);
int stream_priority(void *stream, int *priority);
int stream_wait(void *stream, void *event);
bool recording(void *stream);
// Keeps the work for later in the graph that the stream is captured to.
int record(void *stream, NodeKind kind, Work work, std::shared_ptr<void> parameters = nullptr);
int begin_capture(void *stream, Graph *into = nullptr);
int end_capture(void *stream, Graph **out);
int capture_status(void *stream);  // 0 none, 1 active
int capture_info(void *stream, unsigned long long *id, Graph **graph, Node *const **dependencies, size_t *count);
int capture_depend(void *stream, Node *const *nodes, size_t count, bool replace);

template <class F>
int enqueue(void *stream, NodeKind kind, F work) {
  if (in_kernel()) return issue_work(std::move(work));
  return recording(stream) ? record(stream, kind, std::move(work)) : work();
}

// Events.
int event_create(void **out, unsigned flags);
int event_destroy(void *event);
int event_record(void *event, void *stream);
int event_query(void *event);
int event_elapsed(double *milliseconds, void *from, void *to);

// Graphs.
Graph *graph_create();
int graph_destroy(Graph *graph);
int graph_clone(Graph **out, const Graph *graph);
Node *graph_find_clone(const Graph *clone, const Node *origin);
int graph_add(Graph *graph, Node **out, Node *const *dependencies, size_t count, Node node);
int graph_connect(Graph *graph, Node *const *from, Node *const *to, size_t count, bool add);
std::vector<Node *> graph_nodes(const Graph *graph);
Conditional *graph_condition(Graph *graph, unsigned initial, bool assign_initial);
// A copy in an order that the dependencies allow; null when they form a cycle.
struct GraphExec;
GraphExec *graph_instantiate(const Graph *graph);
int graph_exec_destroy(GraphExec *exec);
// The executable's own copy of a node of the graph it was made from.
Node *graph_exec_node(GraphExec *exec, const Node *node);
// Zero, or what differs: cudaGraphExecUpdateErrorTopologyChanged and its kin.
int graph_exec_update(GraphExec *exec, const Graph *graph, Node **differs);
int graph_launch(GraphExec *exec, void *stream);
int graph_write_dot(const Graph *graph, const char *path);

// Memory that a graph's nodes allocate keeps its address as long as the graph lives.
int graph_allocate(Graph *graph, void **out, size_t bytes);
unsigned long long graph_memory_bytes();
bool is_graph_memory(const void *address);

}  // namespace api

}  // namespace porter_sim
