// Streams, their capture into graphs, and events.
#include <time.h>

#include <algorithm>
#include <set>

#include "errors.h"
#include "graph.h"
#include "grid.h"
#include "porter_sim/api_core.h"
#include "porter_sim/graph_core.h"
#include "status.h"

namespace porter_sim {

namespace {

struct Capture {
  Graph *graph;
  unsigned long long id;
  size_t first_node;               // nodes that were there before belong to nobody
  std::set<struct StreamState *> members;
};

struct StreamState {
  unsigned flags = 0;
  int priority = 0;
  Capture *capture = nullptr;
  bool origin = false;
  std::vector<Node *> tail;  // what the next captured node depends on
};

struct EventState {
  unsigned flags = 0;
  bool recorded = false;
  timespec when{};
  Capture *capture = nullptr;
  std::vector<Node *> nodes;
};

constexpr unsigned disable_timing = 2;
unsigned long long next_capture_id = 1;
std::set<Capture *> captures;

// Handles 0 and 1 are the legacy default stream, 2 is the calling thread's, 3 and 4 exist in device code only.
StreamState *state_of(void *stream) {
  static StreamState legacy;
  static thread_local StreamState per_thread;
  if (uintptr_t(stream) <= 1 || uintptr_t(stream) == 3 || uintptr_t(stream) == 4) return &legacy;
  if (uintptr_t(stream) == 2) return &per_thread;
  return static_cast<StreamState *>(stream);
}

void join(StreamState &stream, Capture *capture, const std::vector<Node *> &nodes) {
  if (!stream.capture) stream.tail.clear();
  stream.capture = capture;
  capture->members.insert(&stream);
  for (Node *node : nodes) {
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end()) stream.tail.push_back(node);
  }
}

// Whether every captured node comes before the end of the stream that began the capture.
bool joined(const Capture &capture, const StreamState &origin) {
  std::set<const Node *> reached;
  std::vector<Node *> pending = origin.tail;
  while (!pending.empty()) {
    Node *node = pending.back();
    pending.pop_back();
    if (!reached.insert(node).second) continue;
    pending.insert(pending.end(), node->dependencies.begin(), node->dependencies.end());
  }
  for (StreamState *member : capture.members) {
    for (Node *node : member->tail) {
      if (!reached.count(node)) return false;
    }
  }
  return true;
}

void finish(Capture *capture) {
  for (StreamState *member : capture->members) {
    member->capture = nullptr;
    member->origin = false;
    member->tail.clear();
  }
  captures.erase(capture);
  delete capture;
}

}  // namespace

namespace api {

int stream_create(void **out, unsigned flags, int priority) {
  if (!out) return status_invalid_value;
  *out = new StreamState{flags, std::clamp(priority, -5, 0), nullptr, false, {}};
  return status_success;
}

int stream_destroy(void *stream) {
  if (uintptr_t(stream) <= 4) return status_invalid_handle;
  StreamState *state = state_of(stream);
  if (state->capture) state->capture->members.erase(state);
  delete state;
  return status_success;
}

int stream_flags(void *stream, unsigned *flags) {
  *flags = state_of(stream)->flags;
  return status_success;
}

int stream_priority(void *stream, int *priority) {
  *priority = state_of(stream)->priority;
  return status_success;
}

bool recording(void *stream) { return !captures.empty() && state_of(stream)->capture; }

int record(void *stream, NodeKind kind, Work work, std::shared_ptr<void> parameters) {
  StreamState &state = *state_of(stream);
  Node *made = nullptr;
  Node node{kind, std::move(work), {}, std::move(parameters)};
  int status = graph_add(state.capture->graph, &made, state.tail.data(), state.tail.size(), std::move(node));
  if (!status) state.tail = {made};
  return status;
}

int stream_wait(void *stream, void *event) {
  auto *awaited = static_cast<EventState *>(event);
  if (!awaited) return status_invalid_handle;
  if (captures.count(awaited->capture)) join(*state_of(stream), awaited->capture, awaited->nodes);
  return status_success;
}

int begin_capture(void *stream, Graph *into) {
  if (uintptr_t(stream) <= 1) return status_capture_unsupported;
  StreamState &state = *state_of(stream);
  if (state.capture) return status_illegal_state;
  Graph *graph = into ? into : graph_create();
  state.capture = new Capture{graph, next_capture_id++, graph_nodes(graph).size(), {&state}};
  state.origin = true;
  state.tail.clear();
  captures.insert(state.capture);
  return status_success;
}

int end_capture(void *stream, Graph **out) {
  StreamState &state = *state_of(stream);
  if (!state.capture) return status_illegal_state;
  if (!state.origin) return status_capture_unmatched;
  Capture *capture = state.capture;
  const bool whole = joined(*capture, state);
  Graph *graph = capture->graph;
  finish(capture);
  if (out) *out = whole ? graph : nullptr;
  return whole ? status_success : status_capture_unjoined;
}

int capture_status(void *stream) { return recording(stream); }

int capture_info(void *stream, unsigned long long *id, Graph **graph, Node *const **dependencies, size_t *count) {
  StreamState &state = *state_of(stream);
  const bool active = recording(stream);
  if (id && active) *id = state.capture->id;
  if (graph) *graph = active ? state.capture->graph : nullptr;
  if (dependencies) *dependencies = active ? state.tail.data() : nullptr;
  if (count) *count = active ? state.tail.size() : 0;
  return status_success;
}

int capture_depend(void *stream, Node *const *nodes, size_t count, bool replace) {
  StreamState &state = *state_of(stream);
  if (!state.capture) return status_illegal_state;
  if (replace) state.tail.clear();
  state.tail.insert(state.tail.end(), nodes, nodes + count);
  return status_success;
}

int event_create(void **out, unsigned flags) {
  *out = new EventState{};
  static_cast<EventState *>(*out)->flags = flags;
  return status_success;
}

int event_destroy(void *event) {
  delete static_cast<EventState *>(event);
  return status_success;
}

int event_record(void *event, void *stream) {
  auto *state = static_cast<EventState *>(event);
  if (!state) return status_invalid_handle;
  if (recording(stream)) {
    state->capture = state_of(stream)->capture;
    state->nodes = state_of(stream)->tail;
    return status_success;
  }
  state->recorded = true;
  state->capture = nullptr;
  clock_gettime(CLOCK_MONOTONIC, &state->when);
  return sticky_error();
}

int event_query(void *event) { return event ? sticky_error() : int(status_invalid_handle); }

int event_elapsed(double *milliseconds, void *from, void *to) {
  auto *a = static_cast<EventState *>(from), *b = static_cast<EventState *>(to);
  if (!a || !b || !a->recorded || !b->recorded) return status_invalid_handle;
  if ((a->flags | b->flags) & disable_timing) return status_invalid_handle;
  *milliseconds = double(b->when.tv_sec - a->when.tv_sec) * 1e3 + double(b->when.tv_nsec - a->when.tv_nsec) * 1e-6;
  return status_success;
}

}  // namespace api

}  // namespace porter_sim
