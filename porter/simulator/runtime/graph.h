// What a graph is made of.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "porter_sim/graph_core.h"

namespace porter_sim {

// What allocation nodes hold; given back when neither the graph nor an executable of it is left.
struct GraphMemory {
  std::vector<void *> blocks;
  ~GraphMemory();
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::shared_ptr<Conditional>> conditions;
  std::shared_ptr<GraphMemory> memory = std::make_shared<GraphMemory>();
};

}  // namespace porter_sim
