// Graphs: lists of work with an order. Launching one does its work node by node, in an order that the dependencies
// allow.
#include "graph.h"

#include <stdio.h>

#include <set>

#include "errors.h"
#include "grid.h"
#include "memory.h"
#include "porter_sim/api_core.h"
#include "status.h"

namespace porter_sim {

namespace {

std::set<const void *> graph_memory;

// What cudaGraphExecUpdateResult and hipGraphExecUpdateResult call the differences.
enum Difference : int { same = 0, topology_changed = 2, kind_changed = 3 };

// Copies nodes so that the copies depend on each other as the originals do; what is inside of them is copied too.
std::unique_ptr<Graph> copied(const Graph &graph) {
  auto out = std::make_unique<Graph>();
  out->conditions = graph.conditions;
  out->memory = graph.memory;
  std::map<const Node *, Node *> twins;
  for (const auto &node : graph.nodes) {
    out->nodes.push_back(std::make_unique<Node>(*node));
    twins[node.get()] = out->nodes.back().get();
    out->nodes.back()->origin = node.get();
    for (auto &body : out->nodes.back()->bodies) body = copied(*body);
  }
  for (const auto &node : out->nodes) {
    for (Node *&dependency : node->dependencies) dependency = twins[dependency];
  }
  return out;
}

// Nodes in an order that respects the dependencies, as they were added otherwise; fewer than all for a cycle.
std::vector<Node *> ordered(const Graph &graph) {
  std::vector<Node *> order;
  std::set<const Node *> placed;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto &node : graph.nodes) {
      if (placed.count(node.get())) continue;
      bool ready = true;
      for (Node *dependency : node->dependencies) ready = ready && placed.count(dependency);
      if (!ready) continue;
      placed.insert(node.get());
      order.push_back(node.get());
      progress = true;
    }
  }
  return order;
}

int run(const Graph &graph);

int run_conditional(const Node &node) {
  const unsigned &value = node.condition->value;
  if (node.choice == Choice::repeated) {
    while (value) {
      if (int status = run(*node.bodies.front())) return status;
    }
    return status_success;
  }
  const size_t chosen = node.choice == Choice::numbered ? value : value == 0;
  return chosen < node.bodies.size() ? run(*node.bodies[chosen]) : int(status_success);
}

int run_node(const Node &node) {
  if (node.disabled) return status_success;
  if (node.kind == NodeKind::conditional) return run_conditional(node);
  if (node.kind == NodeKind::graph && !node.bodies.empty()) return run(*node.bodies.front());
  return node.work ? node.work() : int(status_success);
}

int run(const Graph &graph) {
  for (Node *node : ordered(graph)) {
    if (int status = run_node(*node)) return status;
  }
  return status_success;
}

// Every graph launch begins with the values that the conditions were created with.
void assign_conditions(const Graph &graph) {
  for (const auto &condition : graph.conditions) {
    if (condition->assign_initial) condition->value = condition->initial;
  }
  for (const auto &node : graph.nodes) {
    for (const auto &body : node->bodies) assign_conditions(*body);
  }
}

const char *kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::kernel:
      return "kernel";
    case NodeKind::memcpy:
      return "memcpy";
    case NodeKind::memset:
      return "memset";
    case NodeKind::host:
      return "host";
    case NodeKind::graph:
      return "graph";
    case NodeKind::conditional:
      return "conditional";
    case NodeKind::allocation:
      return "allocation";
    case NodeKind::release:
      return "free";
    default:
      return "empty";
  }
}

}  // namespace

GraphMemory::~GraphMemory() {
  for (void *block : blocks) {
    graph_memory.erase(block);
    release(block);
  }
}

namespace api {

struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<Node *> order;
  std::map<const Node *, Node *> by_origin;

  // Programs may change the parameters of nodes in child graphs and bodies too.
  void index(const Graph &part) {
    for (const auto &node : part.nodes) {
      by_origin[node->origin] = node.get();
      for (const auto &body : node->bodies) index(*body);
    }
  }
};

Graph *graph_create() { return new Graph; }

int graph_destroy(Graph *graph) {
  if (!graph) return status_invalid_value;
  delete graph;
  return status_success;
}

int graph_clone(Graph **out, const Graph *graph) {
  *out = copied(*graph).release();
  return status_success;
}

Node *graph_find_clone(const Graph *clone, const Node *origin) {
  for (const auto &node : clone->nodes) {
    if (node->origin == origin) return node.get();
  }
  return nullptr;
}

int graph_add(Graph *graph, Node **out, Node *const *dependencies, size_t count, Node node) {
  if (!graph || !out || (count && !dependencies)) return status_invalid_value;
  node.dependencies.assign(dependencies, dependencies + count);
  graph->nodes.push_back(std::make_unique<Node>(std::move(node)));
  *out = graph->nodes.back().get();
  return status_success;
}

int graph_connect(Graph *graph, Node *const *from, Node *const *to, size_t count, bool add) {
  if (!graph) return status_invalid_value;
  for (size_t i = 0; i < count; ++i) {
    auto &dependencies = to[i]->dependencies;
    auto at = std::find(dependencies.begin(), dependencies.end(), from[i]);
    if (add == (at != dependencies.end())) return status_invalid_value;
    if (add) {
      dependencies.push_back(from[i]);
    } else {
      dependencies.erase(at);
    }
  }
  return status_success;
}

std::vector<Node *> graph_nodes(const Graph *graph) {
  std::vector<Node *> out;
  for (const auto &node : graph->nodes) out.push_back(node.get());
  return out;
}

Conditional *graph_condition(Graph *graph, unsigned initial, bool assign_initial) {
  graph->conditions.push_back(std::make_shared<Conditional>(Conditional{initial, initial, assign_initial}));
  return graph->conditions.back().get();
}

GraphExec *graph_instantiate(const Graph *graph) {
  auto exec = std::make_unique<GraphExec>();
  exec->graph = copied(*graph);
  exec->order = ordered(*exec->graph);
  if (exec->order.size() != graph->nodes.size()) return nullptr;
  exec->index(*exec->graph);
  return exec.release();
}

int graph_exec_destroy(GraphExec *exec) {
  delete exec;
  return status_success;
}

Node *graph_exec_node(GraphExec *exec, const Node *node) {
  auto found = exec->by_origin.find(node);
  return found == exec->by_origin.end() ? nullptr : found->second;
}

int graph_exec_update(GraphExec *exec, const Graph *graph, Node **differs) {
  const std::vector<Node *> fresh = ordered(*graph);
  if (fresh.size() != exec->order.size()) return topology_changed;
  for (size_t i = 0; i < fresh.size(); ++i) {
    *differs = fresh[i];
    if (fresh[i]->dependencies.size() != exec->order[i]->dependencies.size()) return topology_changed;
    if (fresh[i]->kind != exec->order[i]->kind) return kind_changed;
  }
  for (size_t i = 0; i < fresh.size(); ++i) {
    exec->order[i]->work = fresh[i]->work;
    exec->order[i]->parameters = fresh[i]->parameters;
    exec->order[i]->bodies = fresh[i]->bodies;
    exec->by_origin[fresh[i]] = exec->order[i];
  }
  *differs = nullptr;
  return same;
}

int graph_launch(GraphExec *exec, void *stream) {
  if (!exec) return status_invalid_value;
  auto work = [exec] {
    assign_conditions(*exec->graph);
    for (Node *node : exec->order) {
      if (int status = run_node(*node)) return status;
    }
    return sticky_error();
  };
  return enqueue(stream, NodeKind::graph, work);
}

int graph_write_dot(const Graph *graph, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) return status_invalid_value;
  fprintf(out, "digraph graph_0 {\n");
  for (const auto &node : graph->nodes) {
    fprintf(out, "  n%p [label=\"%s\"];\n", static_cast<void *>(node.get()), kind_name(node->kind));
    for (Node *dependency : node->dependencies) {
      fprintf(out, "  n%p -> n%p;\n", static_cast<void *>(dependency), static_cast<void *>(node.get()));
    }
  }
  fprintf(out, "}\n");
  fclose(out);
  return status_success;
}

int graph_allocate(Graph *graph, void **out, size_t bytes) {
  *out = allocate(bytes, Kind::device);
  if (!*out) return status_out_of_memory;
  graph->memory->blocks.push_back(*out);
  graph_memory.insert(*out);
  return status_success;
}

unsigned long long graph_memory_bytes() {
  unsigned long long sum = 0;
  for (const void *block : graph_memory) {
    Allocation a;
    if (find_allocation(block, a)) sum += a.bytes;
  }
  return sum;
}

bool is_graph_memory(const void *address) { return graph_memory.count(address) != 0; }

}  // namespace api

}  // namespace porter_sim
