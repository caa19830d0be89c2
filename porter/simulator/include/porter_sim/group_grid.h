// Groups of blocks: the grid, the one device of a multi-device launch, and clusters of one block.
#pragma once

#include "porter_sim/group_block.h"

namespace cooperative_groups {

class grid_group {
 public:
  static bool is_valid() { return ::porter_sim::grid_barrier_works(); }
  static void sync(PORTER_HERE) { ::porter_sim::grid_barrier(porter_file, porter_line); }
  using arrival_token = cooperative_groups::arrival_token;
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token && = {}, PORTER_HERE) { sync(porter_file, porter_line); }
  static unsigned long long size() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static uint3 block_index() { return blockIdx; }
  static unsigned long long num_clusters() { return num_blocks(); }
  static unsigned long long cluster_rank() { return block_rank(); }
  static dim3 dim_clusters() { return gridDim; }
  static uint3 cluster_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

class multi_grid_group : public grid_group {
 public:
  static unsigned grid_rank() { return 0; }
  static unsigned num_grids() { return 1; }
};
inline multi_grid_group this_multi_grid() { return {}; }

// Launches with larger clusters are refused, so a cluster is its block.
class cluster_group : public thread_block {
 public:
  static unsigned num_blocks() { return 1; }
  static unsigned block_rank() { return 0; }
  static dim3 dim_blocks() { return {1, 1, 1}; }
  static dim3 block_index() { return {0, 0, 0}; }
  static unsigned query_shared_rank(const void *) { return 0; }
  template <class T>
  static T *map_shared_rank(T *address, int rank, PORTER_HERE) {
    if (rank) ::porter_sim::device_trap("SIM041", "a cluster has one block here: it has no such rank", porter_file, porter_line);
    return address;
  }
};
inline cluster_group this_cluster() { return {}; }

template <class Group>
void sync(const Group &group, PORTER_HERE) {
  group.sync(porter_file, porter_line);
}
template <class Group>
unsigned long long thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group>
unsigned long long group_size(const Group &group) {
  return group.num_threads();
}
template <class Group>
bool is_valid(const Group &group) {
  return group.is_valid();
}

}  // namespace cooperative_groups
